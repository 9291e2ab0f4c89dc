import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { JudgeForm } from './judge-form.tsx';
import { type JudgeFields, NO_FIELDS } from './judge-fields.ts';
import { LabModel, type LabRow, type Tally } from './lab-model.ts';
import { runHref } from './page-address.ts';
import { grouped, money, shortId } from './words.ts';
import { WindowedList } from './list-window.tsx';

const MAX_JUDGES = 4;
const ROW_PX = 34;

const CONCLUSIONS = {
  agrees: ['agrees', 'still'],
  stops_earlier: ['ends earlier', 'good'],
  ends_otherwise: ['ends otherwise', 'odd'],
  goes_on: ['goes on', 'limit'],
} as const;

/** What other strategies, thresholds and limits would have decided over recorded runs. Nothing runs. */
export function LabScreen({ run }: { run: string | null }): JSX.Element {
  const model = useSignal(new LabModel()).value;
  useEffect(() => {
    void model.ask(run);
    return () => model.stop();
  }, [run]);
  return (
    <main class="screen lab">
      <h1>Lab {run !== null && <a href={runHref(run)}>run {shortId(run)}</a>}</h1>
      <p class="quiet">What other judges would have decided over what was recorded. Nothing is run or changed.</p>
      <Judges model={model} run={run} />
      {model.failure.value !== null && <p role="alert">{model.failure.value}</p>}
      <Sums model={model} />
      <div class="fill">
        <WindowedList
          label="Runs, judged again"
          items={model.rows.value}
          rowHeight={ROW_PX}
          keyOf={(one) => one.run}
          row={(one) => <Row row={one} task={model.tasks.value.get(one.run)?.task ?? ''} />}
        />
      </div>
    </main>
  );
}

/** The judges that are asked, each with a form of its own. */
function Judges({ model, run }: { model: LabModel; run: string | null }): JSX.Element {
  const judges = model.judges.value;
  const change = (index: number, fields: JudgeFields) => (model.judges.value = judges.with(index, fields));
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void model.ask(run);
      }}
    >
      {judges.map((fields, index) => (
        <JudgeForm
          key={index}
          number={index + 1}
          fields={fields}
          change={(changed) => change(index, changed)}
          remove={
            judges.length === 1 ? null : () => (model.judges.value = judges.filter((_, other) => other !== index))
          }
        />
      ))}
      <div class="actions">
        {judges.length < MAX_JUDGES && (
          <button type="button" onClick={() => (model.judges.value = [...judges, NO_FIELDS])}>
            Another judge
          </button>
        )}
        {run === null && (
          <label>
            Newest runs
            <input
              type="number"
              min={1}
              max={1_000}
              value={model.limit.value}
              onInput={({ currentTarget }) => (model.limit.value = Number(currentTarget.value) || 1)}
            />
          </label>
        )}
        <button type="submit" class="good">
          Ask
        </button>
        <span role="status">{statusOf(model)}</span>
      </div>
    </form>
  );
}

function statusOf({ isAsking, rows }: LabModel): string {
  const words = `${rows.value.length} run${rows.value.length === 1 ? '' : 's'} judged`;
  return isAsking.value ? `${words} so far` : words;
}

/** A line for each judge. */
function Sums({ model }: { model: LabModel }): JSX.Element | null {
  const tallies = model.tallies.value;
  const leftOut = model.rows.value.flatMap(({ lines }) => lines.filter((line) => line?.kind === 'left_out'));
  const [first] = leftOut;
  if (tallies.length === 0) return null;
  return (
    <>
      <table class="sums">
        <thead>
          <tr>
            {['Judge', 'Runs', 'agrees', 'ends earlier', 'ends otherwise', 'goes on', 'Saved', 'Cost saved'].map(
              (name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {tallies.map((tally) => (
            <Sum key={tally.judge} name={model.asked.value[tally.judge] ?? ''} tally={tally} />
          ))}
        </tbody>
      </table>
      {tallies.some(({ open }) => open > 0) && (
        <p class="quiet">Where a judge gives other feedback, or goes on, what would have come of it is unknown.</p>
      )}
      {first?.kind === 'left_out' && (
        <p class="odd">
          {leftOut.length} left out: {first.because}
        </p>
      )}
    </>
  );
}

const Sum = ({ name, tally: { runs, conclusions, saved } }: { name: string; tally: Tally }): JSX.Element => (
  <tr>
    <th scope="row">{name}</th>
    {[runs, conclusions.agrees, conclusions.stops_earlier, conclusions.ends_otherwise, conclusions.goes_on].map(
      (count, index) => (
        <td key={index} class="number">
          {grouped(count)}
        </td>
      ),
    )}
    <td class="number">{saved.tokens === 0 ? '' : `${grouped(saved.tokens)} tokens`}</td>
    <td class="number">{saved.costNanoUsd === 0 ? '' : money(saved.costNanoUsd)}</td>
  </tr>
);

function Row({ row: { run, lines }, task }: { row: LabRow; task: string }): JSX.Element {
  const recorded = lines.find((line) => line?.kind === 'judged');
  return (
    <div class="judged">
      <a href={runHref(run)}>{shortId(run)}</a>
      <span class="task">{task}</span>
      <span class="quiet">{recorded?.kind === 'judged' ? recorded.recorded : ''}</span>
      {lines.map((line, judge) => (
        <span key={judge}>{line && <Verdict line={line} />}</span>
      ))}
    </div>
  );
}

function Verdict({ line }: { line: NonNullable<LabRow['lines'][number]> }): JSX.Element {
  if (line.kind === 'left_out') return <span class="quiet">left out</span>;
  const [words, tone] = CONCLUSIONS[line.conclusion];
  const { turn } = line;
  if (turn === null) return <span class={`badge ${tone}`}>{words}</span>;
  return (
    <a class={`badge ${tone}`} href={`${runHref(turn.run)}?at=${turn.version}`}>
      {words}: {turn.verdict} at {turn.version}
    </a>
  );
}
