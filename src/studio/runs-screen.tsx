import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { onChange } from './live.ts';
import { compareHref, go, runHref } from './page-address.ts';
import { RunFilters } from './run-filters.tsx';
import { RunRow } from './run-row.tsx';
import { chosen, failure, mark, marked, matching, readRuns, runs } from './runs-model.ts';
import type { ListedView } from './view-types.ts';
import { WindowedList } from './list-window.tsx';

const ROW_PX = 52;
/** How often it is asked whether runs that work are still at work. */
const LOOK_MS = 10_000;

/** All runs of the log: what waits for a person first, then the newest. */
export function RunsScreen(): JSX.Element {
  useFreshRuns();
  const found = matching.value;
  return (
    <main class="screen runs">
      <h1>Runs</h1>
      <RunFilters />
      {failure.value !== null && <p role="alert">{failure.value}</p>}
      {runs.value?.length === 0 && (
        <p>
          No runs yet. <a href="#/start">Start one</a>
        </p>
      )}
      <div class="fill" onKeyDown={(event) => takeKey(event, found)}>
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

/** Reads the runs, and again while they are shown, as often as the log changes. */
function useFreshRuns(): void {
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
}

/** Moves in the list, opens the chosen run, marks it, or compares what is marked. */
function takeKey(event: KeyboardEvent, found: readonly ListedView[]): void {
  const moved = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[event.key];
  if (moved !== undefined) {
    event.preventDefault();
    chosen.value = Math.max(0, Math.min(found.length - 1, chosen.value + moved));
  }
  const one = found[chosen.value];
  if (event.key === 'Enter' && one && !(event.target instanceof HTMLInputElement)) go(runHref(one.run));
  if (event.key === 'x' && one) mark(one.run);
  if (event.key === 'c' && marked.peek().length > 1) go(compareHref(marked.peek()));
}
