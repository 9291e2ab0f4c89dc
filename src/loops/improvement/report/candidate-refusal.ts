import type { EventOf } from '../../../../machines/events.ts';
import type { Fact } from '../../../kernel/effect-handlers.ts';
import { failedBy } from '../history/iteration-result.ts';

type Evaluation = EventOf<'evaluation.completed'>['payload'];

/** Where a candidate was refused, and why. */
export interface Refusal {
  /** The tier of the evaluation, or what else refused it: `a person`. */
  readonly by: string;
  readonly reason: string;
}

/** Tells whether nothing was lost with a change, and nothing shows that it is done: it is not refused, and not kept. */
export const isUnshown = (evaluation: Evaluation | null): evaluation is Evaluation =>
  evaluation !== null && !evaluation.passed && evaluation.grade !== undefined;

/** The refusal of a candidate that was tried beside one that has won. */
export const OUTRUN: Refusal = {
  by: 'another candidate',
  reason: 'a candidate of more relevance passed before its turn',
};

/** What refuses a candidate in a fact. Null: nothing does. */
export function refusalIn(fact: Fact): Refusal | null {
  switch (fact.type) {
    case 'experiment.refused':
      return { by: 'its worktree', reason: fact.payload.fault.message };
    case 'child.settled': {
      const failed = failedBy(fact);
      return failed && { by: 'an error', reason: failed.error ?? '' };
    }
    case 'effect.interrupted':
      if (fact.payload.actor !== 'agent') return null;
      return { by: 'an interruption', reason: fact.payload.reason };
    case 'evaluation.completed': {
      const { passed, tier, reason } = fact.payload;
      return passed || isUnshown(fact.payload) ? null : { by: tier ?? 'the evaluation', reason };
    }
    case 'integration.denied':
      return { by: 'a person', reason: fact.payload.reason ?? 'no reason given' };
    case 'integration.failed':
      return { by: 'the integration', reason: fact.payload.reason };
    default:
      return null;
  }
}
