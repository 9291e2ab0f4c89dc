import type { RecordedRuns } from '../records/runs-of-log.ts';
import { additionsOf, LoopInView } from '../../projections/loop-in-view.ts';
import { factPages } from '../../projections/read-summary.ts';
import { timelineEntry } from '../../projections/timeline.ts';

type Host = Pick<RecordedRuns, 'log' | 'definitions'>;

/** Something that a run, or a run below it, has done. `key`: it is the same in two runs that do the same. */
export interface Move {
  readonly run: string;
  readonly version: number;
  readonly type: string;
  readonly text: string;
  readonly key: string;
}

/** The most moves of a run that are compared, and the characters of each. */
const MAX_MOVES = 50_000;
const MAX_KEY_CHARS = 20_000;
/** How many levels of runs below a run are looked into. */
const MAX_DEPTH = 3;

/** What says nothing about the work: where it began, how it waited, and what its end came to. */
const SILENT: ReadonlySet<string> = new Set([
  'run.started',
  'run.paused',
  'run.resumed',
  'run.migrated',
  'child.asked',
  'child.answered',
  'summary.written',
  'strategy.ended',
]);
const WAITING: ReadonlySet<string | undefined> = new Set(['retried', 'limited', 'replaced']);

const ID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;
const TIME = /\d{4}-\d\d-\d\dT[\d:.]+Z?/g;
const DURATION = /\b\d+(?:\.\d+)?\s?(?:ms|µs|s|sec|seconds|min|h)\b/g;

/** Everything that a run has done, in order: what a run below it did stands before its end. */
export async function readMoves({ log, definitions }: Host, run: string, depth = 0): Promise<Move[]> {
  const inView = new LoopInView(definitions);
  const moves: Move[] = [];
  for await (const page of factPages(log, run, definitions)) {
    for (const fact of page) {
      const loop = inView.observe(fact);
      if (SILENT.has(fact.type) || WAITING.has(additionsOf(fact, loop).request?.kind)) continue;
      if (fact.type === 'child.settled' && depth < MAX_DEPTH)
        moves.push(...(await readMoves({ log, definitions }, fact.payload.child, depth + 1)));
      const { version, type, text } = timelineEntry(fact, loop);
      const whole = timelineEntry(fact, loop, MAX_KEY_CHARS).text;
      moves.push({ run: fact.run, version, type, text, key: `${type} ${comparable(whole)}` });
    }
    if (moves.length >= MAX_MOVES) break;
  }
  return moves.slice(0, MAX_MOVES);
}

/** Without what differs each time: ids of runs, times, and how long something took. */
const comparable = (text: string): string => text.replace(ID, 'ID').replace(TIME, 'TIME').replace(DURATION, 'SPAN');
