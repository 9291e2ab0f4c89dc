import { isUnanswered, type Outcome } from '../../../../machines/outcome.ts';
import type { Fact } from '../../../kernel/effect-handlers.ts';
import type { ResultType } from './iteration-result.ts';

/** What an iteration came to, and why where that is an error. */
export interface Result {
  readonly type: ResultType;
  readonly error?: string;
}

const ABORTED: Result = { type: 'error', error: 'aborted' };
const OUT_OF_TIME: Result = { type: 'budget-exceeded' };

/** What an iteration comes to that is stopped by this fact, unless it finishes all the same. Null: it goes on. */
export function stoppedBy({ type, payload }: Fact): Result | null {
  if (type === 'abort.requested') {
    const { cause, reason } = payload;
    return { type: 'error', error: reason === null ? `aborted by ${cause}` : `aborted by ${cause}: ${reason}` };
  }
  if (type === 'timer.fired' && payload.timer === 'deadline') return OUT_OF_TIME;
  return type === 'child.settled' ? experimentEnded(payload.outcome) : null;
}

function experimentEnded(outcome: Outcome): Result | null {
  // The loop itself has stopped it: an earlier candidate has won.
  if (outcome.ending !== 'abort' || outcome.cause === 'error' || outcome.cause === 'parent') return null;
  return { type: 'error', error: `aborted by ${outcome.cause}` };
}

/** The error that ends an iteration: of an experiment, except where the model only gave no answer. Null: no error. */
export function failedBy({ type, payload }: Fact): Result | null {
  if (type !== 'child.settled') return null;
  const { outcome } = payload;
  if (outcome.ending !== 'abort' || outcome.cause !== 'error' || isUnanswered(outcome)) return null;
  return { type: 'error', error: outcome.fault?.message ?? 'the experiment failed' };
}

/** What an iteration comes to that is not over when the run ends. `stopped`: what stopped it, if it was stopped. */
export function endedBy(outcome: Outcome, reason: string, stopped: Result | null): Result {
  switch (outcome.ending) {
    case 'abort':
      return { type: 'error', error: outcome.fault?.message ?? stopped?.error ?? reason };
    case 'doom_loop':
      return { type: 'no-improvements' };
    default:
      return stopped ?? { type: 'budget-exceeded' };
  }
}

/** What an iteration came to that was stopped, where the run was continued with another one. */
export const leftBehind = (stopped: Result | null): Result => stopped ?? ABORTED;
