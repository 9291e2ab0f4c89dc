import { isUnanswered, NO_ANSWER, type Outcome } from '../../../machines/outcome.ts';
import type { RunSummary } from '../../projections/run-summary.ts';
import { flagOf } from '../../options/option-table.ts';

/**
 * The commands after a run whose model has refused, filled its window or never finished an answer, itself or in its
 * newest attempt: to ask the same model the same thing again ends the same way, so the task, the model or the length of
 * answers changes. Null: it ended otherwise.
 */
export function unansweredNext(
  id: string,
  outcome: Outcome,
  iterations: RunSummary['iterations'],
): readonly (readonly string[])[] | null {
  const fault = faultOf(outcome) ?? (outcome.ending === 'cap_hit' ? faultOf(iterations.at(-1)?.attempt) : null);
  if (fault === null) return null;
  const goOn = ['run', '--continue', id];
  const another = [...goOn, flagOf('model'), 'MODEL', 'TEXT'];
  switch (fault) {
    case NO_ANSWER.cut:
      return [[...goOn, flagOf('maxAnswerTokens'), 'TOKENS', 'TEXT'], another];
    case NO_ANSWER.full:
      // The conversation itself may be what does not fit, so a run with less of it is a new one.
      return [another, ['run', flagOf('instructions'), 'none', flagOf('tools'), 'A,B', 'TEXT']];
    default:
      return [[...goOn, 'TEXT'], another];
  }
}

const faultOf = (outcome: Outcome | null | undefined): string | null =>
  outcome?.ending === 'abort' && isUnanswered(outcome) ? (outcome.fault?.code ?? null) : null;
