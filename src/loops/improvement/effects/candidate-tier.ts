import type { EventOf } from '../../../../machines/events.ts';

type Completed = EventOf<'tier.completed'>['payload'];

/** What one tier said of a candidate. */
export type Tier = Omit<Completed, 'candidate' | 'durationMs'>;

const MAX_DETAIL_CHARACTERS = 4_000;

/** The event of a tier. */
export const tierCompleted = (candidate: string, tier: Tier, durationMs: number): EventOf<'tier.completed'> => ({
  type: 'tier.completed',
  payload: {
    candidate,
    ...tier,
    detail: tier.detail.slice(0, MAX_DETAIL_CHARACTERS).toWellFormed(),
    durationMs: Math.max(0, Math.round(durationMs)),
  },
});
