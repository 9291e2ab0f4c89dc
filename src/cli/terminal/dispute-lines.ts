import { type Dispute, MAX_DISPUTED_CHARACTERS } from '../../../machines/recorded-proof.ts';
import type { Question } from '../../projections/questions.ts';
import { plain } from '../../projections/phrases.ts';
import { questionLines } from './question-lines.ts';

const SHOWN_DIGEST_CHARACTERS = 16;

/**
 * A question about changed grounds with all of the difference that was recorded, and its digest. No line of the
 * difference can look like one of ours.
 */
export function disputeLines(question: Question, { diff, digest }: Dispute): readonly string[] {
  const [first = ''] = question.text.split('\n', 1);
  const [asked = '', ...below] = questionLines({ ...question, text: first });
  // The recorder cuts there: the whole is in the captures of the run.
  const isCut = diff.length >= MAX_DISPUTED_CHARACTERS;
  return [
    asked,
    ...plain(diff)
      .trimEnd()
      .split('\n')
      .map((line) => `  │ ${line}`.trimEnd()),
    ...(isCut ? ['  … and more'] : []),
    `  difference  ${digest.slice(0, SHOWN_DIGEST_CHARACTERS)}`,
    ...below,
  ];
}
