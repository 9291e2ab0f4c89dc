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
  'person.answered',
  'child.asked',
  'child.answered',
]);

/**
 * Whether an event is input from outside: nothing that a run does by itself brings it about, so no run goes on for ever by
 * it.
 *
 * What is cut short and begun again was cut short by a pause or a crash. An attempt is not begun again, and a model that is
 * cut off for saying the same over and over is the run's own doing: those count.
 */
export function isExternal({ type, payload }: LoopEvent, { outside = [] }: Partial<Ranking> = {}): boolean {
  if (type === 'model.interrupted') return payload.cause === undefined;
  if (type === 'effect.interrupted') return payload.actor !== 'agent';
  return FROM_OUTSIDE.has(type) || outside.includes(type);
}
