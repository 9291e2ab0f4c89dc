import type { EventOf } from '../../machines/events.ts';
import type { EffectSpec, Interruption } from '../runtime/loop-definition.ts';

type InterruptedActor = EventOf<'effect.interrupted'>['payload']['actor'];

const interrupted = (actor: InterruptedActor, { reason }: Pick<Interruption, 'reason'>): EventOf<'effect.interrupted'> => ({
  type: 'effect.interrupted',
  payload: { actor, reason },
});

/**
 * The effects that loops share. A loop's own definition takes those that its chart starts.
 *
 * @example
 * effects: { ...sharedEffects, runAgent: attempt, askReviewer: { class: 'once', interrupted: reviewInterrupted } },
 */
export const sharedEffects = {
  judge: { class: 'repeatable', interrupted: null },
  timer: { class: 'repeatable', interrupted: null },
  captureWorkspace: { class: 'repeatable', interrupted: (_, how) => interrupted('capture', how) },
  verifyWork: { class: 'repeatable', interrupted: (_, how) => interrupted('checks', how) },
  /** At the end its last words are not waited for; in the middle of a conversation they are. */
  summarise: {
    class: 'repeatable',
    interrupted: ({ key }, how) => (key === 'compaction' ? interrupted('compaction', how) : null),
  },
  endStrategy: { class: 'repeatable', interrupted: null },
} as const satisfies Readonly<Record<string, EffectSpec>>;
