import type { LoopEvent } from '../../machines/events.ts';
import type { Ranking } from '../kernel/loop-ranking.ts';

/** Events that users, hosts and other runs may send at any time, any number of times. */
const FROM_OUTSIDE: ReadonlySet<LoopEvent['type']> = new Set([
  'run.paused',
  'run.resumed',
  'run.steered',
  'run.continued',
  'run.migrated',
  'abort.requested',
  'child.asked',
  'child.answered',
  'grounds.approved',
  'grounds.denied',
]);

/**
 * Whether an event is external input: a run cannot cause it by itself, so it cannot keep a run going for ever. For its
 * own events the loop's ranking says so.
 */
export function isExternal(event: LoopEvent, { outside = [] }: Pick<Ranking, 'outside'>): boolean {
  return (
    FROM_OUTSIDE.has(event.type) || outside.some((one) => (typeof one === 'string' ? one === event.type : one(event)))
  );
}

/**
 * Marks the interruption of the effects under these keys as external input: a pause or a crash interrupted them, and
 * they are started again.
 *
 * @example
 * outside: ['review.interrupted', interruptionOf('capture', 'checks')],
 */
export const interruptionOf =
  (...keys: readonly string[]) =>
  ({ type, payload }: LoopEvent): boolean =>
    type === 'effect.interrupted' && keys.includes(payload.actor);
