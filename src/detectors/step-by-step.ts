import type { Detector, LoggedEvent, Noticed } from './detector.ts';
import { ANSWERS } from './answer-by-answer.ts';
import { CALL_ENDS } from './call-results.ts';
import { isFreshStart } from './fresh-start.ts';
import { type Awaiting, NOTHING_AWAITED, paired } from './call-pairing.ts';
import type { Observed } from './observation.ts';
import type { TraitsOf } from './traits.ts';

/** The types of the events that a detector of calls with their results looks at. */
export const CALLS: ReadonlySet<LoggedEvent['type']> = new Set([...ANSWERS, ...CALL_ENDS]);

/** The state of a detector, and the calls of the newest answer that have no result yet. */
export interface Awaited<Own> {
  readonly awaiting: Awaiting;
  readonly own: Own;
}

/** The calls of one answer with their results: one by one, and as one step. */
export interface SeenStep {
  readonly observed: readonly Observed[];
  readonly step: Observed;
  /** The event that brings the last result. */
  readonly event: LoggedEvent;
}

/**
 * A detector that looks at what calls bring, answer by answer, once all calls of an answer have a result, and begins
 * anew with a user message. `anew`: what is left of its state then, where it is not that of the start.
 */
export function stepByStep<Own>(
  name: string,
  start: Own,
  traits: TraitsOf,
  afterStep: (before: Own, seen: SeenStep) => Noticed<Own>,
  anew: (before: Own) => Own = () => start,
): Detector<Awaited<Own>> {
  return {
    name,
    sees: CALLS,
    init: () => ({ awaiting: NOTHING_AWAITED, own: start }),
    step: (before, event): Noticed<Awaited<Own>> => {
      if (isFreshStart(event)) return { state: { ...before, own: anew(before.own) } };
      const { awaiting, observed, step } = paired(before.awaiting, event, traits);
      if (!step) return { state: awaiting === before.awaiting ? before : { ...before, awaiting } };
      const { state: own, ...noticed } = afterStep(before.own, { observed, step, event });
      return { state: { awaiting, own }, ...noticed };
    },
  };
}
