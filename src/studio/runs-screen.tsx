import type { Signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { onChange } from './live.ts';
import { compareHref, go, runHref } from './page-address.ts';
import { RunRow } from './run-row.tsx';
import { chosen, failure, filters, kindOf, limit, mark, marked, matching, more, readRuns, runs } from './runs-model.ts';
import type { ListedView } from './view-types.ts';
import { WindowedList } from './list-window.tsx';

const MORE = 10;
const ROW_PX = 52;
/** How often it is asked whether runs that work are still at work. */
const LOOK_MS = 10_000;

/** All runs of the log: what waits for a person first, then the newest. */
export function RunsScreen(): JSX.Element {
  useEffect(() => {
    void readRuns();
    const stop = onChange((trees) => void readRuns(trees));
    // A process that dies records nothing.
    const timer = setInterval(() => {
      if (runs.peek()?.some(({ standing }) => standing.kind === 'running')) void readRuns();
    }, LOOK_MS);
    return () => {
      stop();
      clearInterval(timer);
    };
  }, []);
  const found = matching.value;
  const { text } = filters;
  const keys = (event: KeyboardEvent) => {
    const moved = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[event.key];
    if (moved !== undefined) {
      event.preventDefault();
      chosen.value = Math.max(0, Math.min(found.length - 1, chosen.value + moved));
    }
    const one = found[chosen.value];
    if (event.key === 'Enter' && one && !(event.target instanceof HTMLInputElement)) go(runHref(one.run));
    if (event.key === 'x' && one) mark(one.run);
    if (event.key === 'c' && marked.peek().length > 1) go(compareHref(marked.peek()));
  };
  return (
    <main class="screen runs">
      <h1>Runs</h1>
      <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
        <label>
          Find
          <input
            type="search"
            id="find"
            value={text.value}
            placeholder="task, id or ending"
            onInput={({ currentTarget }) => (text.value = currentTarget.value)}
          />
        </label>
        <Choice label="Ending" filter={filters.ending} of={kindOf} />
        <Choice label="Loop" filter={filters.loop} of={({ loop }) => loop} />
        <Choice label="Label" filter={filters.label} of={({ label }) => label ?? ''} />
        {marked.value.length > 1 && (
          <a href={compareHref(marked.value)} title="key c">
            Compare {marked.value.length} runs
          </a>
        )}
        <span role="status">
          {found.length} of {runs.value?.length ?? 0}
          {more.value > 0 && (
            <button
              type="button"
              class="link"
              onClick={() => {
                limit.value *= MORE;
                void readRuns();
              }}
            >
              {more.value} older
            </button>
          )}
        </span>
      </form>
      {failure.value !== null && <p role="alert">{failure.value}</p>}
      {runs.value?.length === 0 && (
        <p>
          No runs yet. <a href="#/start">Start one</a>
        </p>
      )}
      <div class="fill" onKeyDown={keys}>
        <WindowedList
          label="Runs"
          items={found}
          rowHeight={ROW_PX}
          keyOf={(one) => one.run}
          shown={chosen.value}
          row={(one, index) => <RunRow one={one} isChosen={index === chosen.value} />}
        />
      </div>
    </main>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly filter: Signal<string>;
  /** What of a run is chosen by. */
  readonly of: (run: ListedView) => string;
}

/** A choice of what the listed runs have. Absent where none of them has it. */
function Choice({ label, filter, of }: ChoiceProps): JSX.Element | null {
  const values = [...new Set((runs.value ?? []).map(of))].filter(Boolean).toSorted();
  if (values.length === 0) return null;
  return (
    <label>
      {label}
      <select value={filter.value} onChange={({ currentTarget }) => (filter.value = currentTarget.value)}>
        <option value="">any</option>
        {values.map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
      </select>
    </label>
  );
}
