import { askedDispute } from '../../app/proof/question-dispute.ts';
import type { AppHost } from '../../app/app-host.ts';
import type { Question } from '../../projections/questions.ts';
import { disputeLines, questionLines } from '../terminal/question-lines.ts';

/** A question as a person reads it before they answer. */
export interface ShownQuestion {
  readonly lines: readonly string[];
  /** They were shown changed tests, so that their yes is theirs. */
  readonly isDispute: boolean;
}

/** Finds what a person reads: with all that is recorded of changed tests, where the question is about these. */
export async function shownQuestion(
  host: Pick<AppHost, 'log' | 'definitions'>,
  question: Question,
): Promise<ShownQuestion> {
  const dispute = await askedDispute(host, question);
  return { lines: dispute ? disputeLines(question, dispute) : questionLines(question), isDispute: dispute !== null };
}
