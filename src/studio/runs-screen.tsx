import { computed, signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { onChange } from './live.ts';
import { Badge } from './parts.tsx';
import { go, runHref } from './page-address.ts';
import type { ListedView } from './shown-types.ts';
import { server } from './page-source.ts';
import { ago, clock, shortId } from './words.ts';
import { WindowedList } from './windowed-list.tsx';

const FIRST = 100;
const MORE = 10;
const ROW_PX = 52;
/** How often it is asked whether runs that work are still at work. */
const LOOK_MS = 10_000;

const runs = signal<readonly ListedView[] | null>(null);
const more = signal(0);
const limit = signal(FIRST);
const failure = signal<string | null>(null);
const text = signal('');
const loop = signal('');
const ending = signal('');
const chosen = signal(0);

const matching = computed(() => {
  const words = text.value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = (runs.value ?? []).filter(
    (one) =>
      (loop.value === '' || one.loop === loop.value) &&
      (ending.value === '' || kindOf(one) === ending.value) &&
      words.every((word) => `${one.task} ${one.run} ${one.verdict ?? ''}`.toLowerCase().includes(word)),
  );
  // What waits for a person comes first; the rest stays as it is, the newest first.
  return [...found.filter(asks), ...found.filter((one) => !asks(one))];
});

const asks = ({ standing }: ListedView): boolean => standing.asks > 0;
const kindOf = ({ ending: kind, standing }: ListedView): string => kind ?? standing.kind;

let isReading = false;
let isStale = false;

async function read(): Promise<void> {
  isStale = isReading;
  if (isReading) return;
  isReading = true;
  const began = performance.now();
  try {
    const listed = await server.runs(limit.peek());
    runs.value = listed.runs;
    more.value = listed.more;
    failure.value = null;
  } catch (error) {
    failure.value = error instanceof Error ? error.message : String(error);
  }
  // A long list takes the server a while: it has twice that time to itself.
  setTimeout(
    () => {
      isReading = false;
      if (isStale) void read();
    },
    (performance.now() - began) * 2,
  );
}

/** All runs of the log: what waits for a person first, then the newest. */
export function RunsScreen(): JSX.Element {
  useEffect(() => {
    void read();
    const stop = onChange(() => void read());
    // A process that dies records nothing.
    const timer = setInterval(() => {
      if (runs.peek()?.some(({ standing }) => standing.kind === 'running')) void read();
    }, LOOK_MS);
    return () => {
      stop();
      clearInterval(timer);
    };
  }, []);
  const found = matching.value;
  const kinds = [...new Set((runs.value ?? []).map(kindOf))].toSorted();
  const loops = [...new Set((runs.value ?? []).map((one) => one.loop))].filter(Boolean).toSorted();
  const keys = (event: KeyboardEvent) => {
    const moved = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[event.key];
    if (moved !== undefined) {
      event.preventDefault();
      chosen.value = Math.max(0, Math.min(found.length - 1, chosen.value + moved));
    }
    const one = found[chosen.value];
    if (event.key === 'Enter' && one) go(runHref(one.run));
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
        <Choice label="Ending" value={ending.value} of={kinds} choose={(value) => (ending.value = value)} />
        <Choice label="Loop" value={loop.value} of={loops} choose={(value) => (loop.value = value)} />
        <span role="status">
          {found.length} of {runs.value?.length ?? 0}
          {more.value > 0 && (
            <button
              type="button"
              class="link"
              onClick={() => {
                limit.value *= MORE;
                void read();
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
          row={(one, index) => <Row one={one} isChosen={index === chosen.value} />}
        />
      </div>
    </main>
  );
}

function Row({ one, isChosen }: { one: ListedView; isChosen: boolean }): JSX.Element {
  const now = Date.now();
  const waits = one.waitsUntil !== null && Date.parse(one.waitsUntil) > now ? `, until ${clock(one.waitsUntil)}` : '';
  const words = asks(one) ? 'waits for you' : `${one.verdict ?? one.standing.words}${waits}`;
  return (
    <a class={isChosen ? 'row chosen' : 'row'} href={runHref(one.run)}>
      <Badge kind={kindOf(one)} words={words} asks={one.standing.asks} />
      <span class="task">{one.task}</span>
      <span class="quiet">{one.loop}</span>
      <span class="quiet">{one.costUsd === null ? '' : `$${one.costUsd.toFixed(4)}`}</span>
      <span class="quiet">{ago(one.updatedAt, now)}</span>
      <code>{shortId(one.run)}</code>
    </a>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly of: readonly string[];
  readonly choose: (value: string) => void;
}

const Choice = ({ label, value, of, choose }: ChoiceProps): JSX.Element => (
  <label>
    {label}
    <select value={value} onChange={({ currentTarget }) => choose(currentTarget.value)}>
      <option value="">any</option>
      {of.map((one) => (
        <option key={one} value={one}>
          {one}
        </option>
      ))}
    </select>
  </label>
);
