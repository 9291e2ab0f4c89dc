import type { Log } from '../../log/log.ts';
import type { Settled } from '../../log/queue-store.ts';
import type { LoopDefinition } from '../../kernel/loop-definition.ts';
import type { RunEnd } from '../../runtime/run-end.ts';
import { obstacleOf } from '../../app/running/obstacle.ts';
import { leftBy, standingOf } from '../../app/kept/run-standing.ts';

/** Workers that may be lost with a run before it is set aside. */
export const MAX_CRASHES = 3;
/** Times that a run may fail to begin, or to go on, before it is set aside. */
const MAX_TRIES = 8;
const FIRST_PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 300_000;
/** When a run is tried again whose worker lacked something, such as space on its disk. */
const REMEDY_MS = 30_000;
/** When a run is tried again whose workspace another run holds. */
const HELD_MS = 2_000;

const OVER: Settled = { standing: 'over', because: null };
const DUE: Settled = { standing: 'due', inMs: 0, because: null, hasFailed: false };

/** What becomes of a run that has left its worker. Null: another process owns it, or its log cannot say. */
export async function settledBy(
  log: Log,
  run: string,
  end: RunEnd,
  loops: readonly LoopDefinition[],
): Promise<Settled | null> {
  if (end.kind === 'lost') return null;
  if (end.kind === 'ended') return OVER;
  return standingNow(log, run, loops);
}

/** What becomes of a run by what its log says. */
export async function standingNow(log: Log, run: string, loops: readonly LoopDefinition[]): Promise<Settled> {
  // Before the standing is read: what is recorded in between makes it due.
  const tree = await log.tree(run);
  const seen = tree.reduce((sum, { version }) => sum + version, 0);
  const standing = await standingOf(log, run, loops);
  switch (standing.kind) {
    case 'ended':
      return OVER;
    case 'moved':
      return DUE;
    case 'waits':
      return { standing: 'waits', seen };
    case 'paused':
      break;
  }
  const root = tree.find((one) => one.run === run);
  switch (root && (await leftBy(log, root))) {
    case 'user':
      return { standing: 'paused', because: 'a person has paused it' };
    case 'environment':
      return { standing: 'due', inMs: REMEDY_MS, because: 'its worker lacked something', hasFailed: true };
    default:
      return DUE;
  }
}

/** What becomes of a run that could not begin, or go on. */
export function settledByFailure(error: unknown, tries: number): Settled {
  const because = error instanceof Error ? error.message : String(error);
  const obstacle = obstacleOf(error);
  if (obstacle === 'request') return { standing: 'aside', because };
  if (obstacle === 'held') return { standing: 'due', inMs: HELD_MS, because, hasFailed: false };
  if (tries + 1 >= MAX_TRIES) return { standing: 'aside', because };
  return { standing: 'due', inMs: Math.min(FIRST_PAUSE_MS * 2 ** tries, MAX_PAUSE_MS), because, hasFailed: true };
}
