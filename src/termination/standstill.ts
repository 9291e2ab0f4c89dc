import type { LoopEvent } from '../../machines/events.ts';
import type { RunState } from '../kernel/fold.ts';
import { isExternal } from './life-left.ts';
import { rankOf } from './bound.ts';
import type { Ranking } from '../kernel/loop-ranking.ts';

/** How much external input may raise the rank. All other events may not raise it. */
const MAY_ADD: Readonly<Partial<Record<LoopEvent['type'], number>>> = {
  /** It replaces the limits and restarts the clock: the rank is within the bound of the new limits. */
  'run.continued': Infinity,
  /** The run continues under another version of its machine, which has a ranking of its own. */
  'run.migrated': Infinity,
};

/** A recorded event, and the states before and after it. */
export interface Passage {
  readonly event: LoopEvent;
  readonly before: RunState;
  readonly after: RunState;
}

/**
 * Why an event fails to lower the rank of its run, or null where it lowers it or need not. Every event except external
 * input must lower the rank by at least 1, and external input must not raise it.
 */
export function standstill({ event, before, after }: Passage, ranking: Ranking): string | null {
  const [was, is] = [rankOf(before, ranking), rankOf(after, ranking)];
  if (was === Infinity) return null;
  const most = isExternal(event, ranking) ? was + (MAY_ADD[event.type] ?? 0) : was - 1;
  if (is <= most) return null;
  return `${event.type} at version ${after.version}: ${was} events were left before it, and ${is} after it`;
}
