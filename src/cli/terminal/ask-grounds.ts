import type { Approver, Dispute } from '../../../machines/recorded-proof.ts';
import type { Question } from '../../projections/questions.ts';
import { disputeLines, isYes, forgetTyped, readLine } from './question-lines.ts';
import { personHere, type Place } from './person-here.ts';

/** The answer to a shown difference: yes by a person, no, or nothing, because no person is known to sit there. */
export type SaidToGrounds = { readonly said: 'yes'; readonly by: Approver } | { readonly said: 'no' | 'nothing' };

/** Shows a person at a terminal what has changed of the tests, before it counts, and asks. */
export async function askGrounds(
  { question, dispute }: { readonly question: Question; readonly dispute: Dispute },
  place: Place,
): Promise<SaidToGrounds> {
  const by = await personHere(place);
  if (by === null) return { said: 'nothing' };
  const { err, input } = place;
  await forgetTyped(input);
  for (const line of disputeLines(question, dispute)) err.line(line);
  err.prompt('Let exactly these changes count? [y/N] ');
  const reply = await readLine(input, new AbortController().signal);
  err.prompted(reply.kind === 'line');
  return reply.kind === 'line' && isYes(reply.text) ? { said: 'yes', by } : { said: 'no' };
}
