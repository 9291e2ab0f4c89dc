import type { RunStep, RunView } from './view-types.ts';

/** What was spent until a moment of a run. */
export type Spent = Pick<RunStep, 'tokens' | 'costNanoUsd'>;

/**
 * What was spent by a version of a run. At the newest one, which is `head`, of a run that has not ended, it is until
 * now: what the runs below it have spent is in its own events only once they are over.
 */
export function spentAt(step: RunStep | null, head: number, view: (Spent & Pick<RunView, 'ending'>) | null): Spent {
  if (step === null) return view ?? { tokens: 0, costNanoUsd: null };
  return step.version === head && view?.ending === null ? view : step;
}
