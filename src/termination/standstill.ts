import type { LoopEvent } from '../../machines/events.ts';
import type { RunState } from '../runtime/fold.ts';
import { isExternal } from './external.ts';
import { rankOf } from './rank.ts';
import type { Ranking } from '../runtime/ranking.ts';

/** What input from outside may add at most; all other adds nothing. */
const MAY_ADD: Readonly<Partial<Record<LoopEvent['type'], number>>> = {
  /** It replaces the limits, and the clock starts anew: what that comes to is within the bound of the new limits. */
  'run.continued': Infinity,
  /** The run goes on under another version of its machine: what is left of it is what that one says. */
  'run.migrated': Infinity,
};

/** An event of a log, and the states around it. */
export interface Passage {
  readonly event: LoopEvent;
  readonly before: RunState;
  readonly after: RunState;
}

/**
 * Why an event has not brought its run nearer to its end, where it must: any event but input from outside does so by one at
 * least, and that adds nothing. Null: it has, or it need not.
 */
export function standstill({ event, before, after }: Passage, ranking: Ranking): string | null {
  const [was, is] = [rankOf(before, ranking), rankOf(after, ranking)];
  if (was === Infinity) return null;
  const most = isExternal(event, ranking) ? was + (MAY_ADD[event.type] ?? 0) : was - 1;
  if (is <= most) return null;
  return `${event.type} at version ${after.version}: ${was} events were left before it, and ${is} after it`;
}
