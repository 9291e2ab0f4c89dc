import type { LoopEvent } from '../../machines/events.ts';
import type { Ranking } from '../runtime/ranking.ts';

/** What people, hosts and other runs say of their own accord, as often as they like. */
const FROM_OUTSIDE: ReadonlySet<LoopEvent['type']> = new Set([
  'run.paused',
  'run.resumed',
  'run.steered',
  'run.continued',
  'run.migrated',
  'abort.requested',
  'child.asked',
  'child.answered',
]);

/**
 * Whether an event is input from outside: nothing that a run does by itself brings it about, so no run goes on for ever by
 * it. Of its own events, its loop says it.
 */
export function isExternal(event: LoopEvent, { outside = [] }: Pick<Ranking, 'outside'>): boolean {
  return FROM_OUTSIDE.has(event.type) || outside.some((one) => (typeof one === 'string' ? one === event.type : one(event)));
}

/**
 * Says of the effects under these keys that their interruption is input from outside: a pause or a crash has cut them short,
 * and they are begun again.
 *
 * @example
 * outside: ['review.interrupted', interruptionOf('capture', 'checks')],
 */
export const interruptionOf = (...keys: readonly string[]) => ({ type, payload }: LoopEvent): boolean =>
  type === 'effect.interrupted' && keys.includes(payload.actor);
