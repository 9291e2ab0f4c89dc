import { useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { Badge, Part } from './parts.tsx';
import { runHref } from './page-address.ts';
import { server } from './page-source.ts';
import type { CompareView } from './view-types.ts';
import { grouped, money, shortId, took } from './words.ts';

/** Runs side by side. `which`: ids with commas between, or `of:` and the run whose attempts they are. */
export function CompareScreen({ which }: { which: string }): JSX.Element {
  const view = useSignal<CompareView | null>(null);
  const failure = useSignal<string | null>(null);
  useEffect(() => {
    const of = /^of:(.*)$/.exec(which)?.[1];
    view.value = null;
    failure.value = null;
    void server.compare(of === undefined ? `runs=${encodeURIComponent(which)}` : `of=${encodeURIComponent(of)}`).then(
      (found) => (view.value = found),
      (error: Error) => (failure.value = error.message),
    );
  }, [which]);
  const shown = view.value;
  return (
    <main class="screen compare">
      <h1>Compare {shown && `${shown.runs.length} runs`}</h1>
      {failure.value !== null && <p role="alert">{failure.value}</p>}
      {shown === null && failure.value === null && <p role="status">The runs are being read.</p>}
      {shown && <Compared view={shown} />}
    </main>
  );
}

const FACTS: readonly (readonly [string, (run: CompareView['runs'][number]) => ComponentChildren])[] = [
  ['Ended because', ({ ending }) => ending?.reason ?? 'it has not ended'],
  ['Checks', ({ checksPassed }) => (checksPassed === null ? 'none' : passedWords(checksPassed))],
  ['Rounds', ({ rounds }) => grouped(rounds)],
  ['Tool calls', ({ toolCalls }) => grouped(toolCalls)],
  ['Tokens', ({ tokens }) => grouped(tokens)],
  ['Cost', ({ costNanoUsd }) => money(costNanoUsd)],
  ['At work', ({ workedMs }) => took(workedMs)],
];

const passedWords = (passed: boolean): string => (passed ? '✓ passed' : '✗ failed');

function Compared({ view }: { view: CompareView }): JSX.Element {
  const { runs, given, alike, moves, rounds, checks, files } = view;
  const [first] = moves.filter(({ isSame }) => !isSame);
  return (
    <>
      <p role="status">{first ? firstWords(first, alike) : `All ${grouped(alike)} moves are the same.`}</p>
      <Grid label="Outcomes" runs={runs}>
        {FACTS.map(([name, of]) => (
          <Cells key={name} name={name} cells={runs.map(of)} />
        ))}
        {given.map(({ name, cells }) => (
          <Cells key={name} name={`Given: ${name}`} cells={cells} />
        ))}
      </Grid>
      <Part title="What they did">
        <Grid label="Moves" runs={runs}>
          {moves.map(({ number, isSame, cells }) => (
            <Cells key={number} name={String(number)} kind={isSame ? 'same' : 'differs'} cells={cells.map(moveCell)} />
          ))}
        </Grid>
      </Part>
      {rounds.length > 0 && (
        <TitledGrid title="Iterations" runs={runs}>
          {rounds.map(({ number, cells }) => (
            <Cells key={number} name={String(number)} cells={cells.map(roundCell)} />
          ))}
        </TitledGrid>
      )}
      {checks.length > 0 && (
        <TitledGrid title="Checks" runs={runs}>
          {checks.map(({ level, name, cells }) => (
            <Cells
              key={`${level} ${name}`}
              name={`${level} ${name}`}
              cells={cells.map((passed) => (passed === null ? '' : passedWords(passed)))}
            />
          ))}
        </TitledGrid>
      )}
      {files.length > 0 && (
        <TitledGrid title="Files" runs={runs}>
          {files.map(({ path, cells }) => (
            <Cells
              key={path}
              name={path}
              cells={cells.map((one) => one && (one.added === null ? 'binary' : `+${one.added} −${one.removed ?? 0}`))}
            />
          ))}
        </TitledGrid>
      )}
    </>
  );
}

const firstWords = ({ number }: CompareView['moves'][number], alike: number): string =>
  alike === 0
    ? 'They differ from their first move on.'
    : `${grouped(alike)} moves are the same; move ${number} is the first that differs.`;

interface GridProps {
  readonly label: string;
  readonly runs: CompareView['runs'];
  readonly children: ComponentChildren;
}

const Grid = ({ label, runs, children }: GridProps): JSX.Element => (
  <div class="grid" tabIndex={0} role="region" aria-label={label}>
    <table>
      <thead>
        <tr>
          <td />
          {runs.map(({ run, ending, standing }) => (
            <th key={run} scope="col">
              <a href={runHref(run)}>{shortId(run)}</a>{' '}
              <Badge
                kind={ending?.kind ?? standing.kind}
                words={ending?.words ?? standing.words}
                asks={standing.asks}
              />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </div>
);

const TitledGrid = ({ title, runs, children }: Omit<GridProps, 'label'> & { readonly title: string }): JSX.Element => (
  <Part title={title}>
    <Grid label={title} runs={runs}>
      {children}
    </Grid>
  </Part>
);

const Cells = ({ name, cells, kind = '' }: { name: string; cells: readonly ComponentChildren[]; kind?: string }) => (
  <tr class={kind}>
    <th scope="row">{name}</th>
    {cells.map((cell, index) => (
      <td key={index}>{cell}</td>
    ))}
  </tr>
);

const moveCell = (move: CompareView['moves'][number]['cells'][number]): ComponentChildren =>
  move && (
    <>
      <a href={`${runHref(move.run)}?at=${move.version}`}>
        <code>{move.type}</code>
      </a>{' '}
      {move.text}
    </>
  );

function roundCell(cell: CompareView['rounds'][number]['cells'][number]): ComponentChildren {
  if (cell === null) return '';
  const { attempt, passed, failing, files, decision } = cell;
  const said = [
    ...(attempt === null ? [] : [attempt]),
    ...(passed === null ? [] : [passed ? '✓ checks passed' : `✗ ${failing} failing`]),
    `${files} files`,
    ...(decision === null ? [] : [decision === 'continue' ? 'goes on' : 'stops']),
  ];
  return said.join(' · ');
}
