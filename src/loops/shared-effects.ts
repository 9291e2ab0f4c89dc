import type { EventOf } from '../../machines/events.ts';
import type { EffectSpec, Interruption } from '../kernel/effect-spec.ts';

type InterruptedActor = EventOf<'effect.interrupted'>['payload']['actor'];

const interrupted = (
  actor: InterruptedActor,
  { reason }: Pick<Interruption, 'reason'>,
): EventOf<'effect.interrupted'> => ({
  type: 'effect.interrupted',
  payload: { actor, reason },
});

/**
 * The effects that loops share. A definition takes those that its chart starts.
 *
 * @example
 * effects: { ...sharedEffects, runAgent: attempt, askReviewer: { class: 'once', interrupted: reviewInterrupted } },
 */
export const sharedEffects = {
  judge: { class: 'repeatable', interrupted: null },
  timer: { class: 'repeatable', interrupted: null },
  captureWorkspace: { class: 'repeatable', interrupted: (_, how) => interrupted('capture', how) },
  takeBaseline: { class: 'repeatable', interrupted: (_, how) => interrupted('checks', how) },
  verifyWork: { class: 'repeatable', interrupted: (_, how) => interrupted('checks', how) },
  askAboutGrounds: {
    class: 'repeatable',
    asksPerson: true,
    interrupted: (_, how) => interrupted('groundsRuling', how),
  },
  /** The summary at the end of a run may be lost; a compaction in the middle of a conversation may not. */
  summarise: {
    class: 'repeatable',
    interrupted: ({ key }, how) => (key === 'compaction' ? interrupted('compaction', how) : null),
  },
  endStrategy: { class: 'repeatable', interrupted: null },
} as const satisfies Readonly<Record<string, EffectSpec>>;
