import type { App } from '../../app/app.ts';
import { chosen } from '../../app/people/open-question.ts';
import { askedDispute } from '../../app/proof/question-dispute.ts';
import type { Grant } from '../../app/people/ruling.ts';
import type { Session } from '../session.ts';
import { askGrounds } from '../terminal/ask-grounds.ts';

/** The ruling of a person who was shown the changed tests, bound to what they were shown. */
export type RulingHere = Pick<Grant, 'by' | 'digest'>;

/**
 * Asks the person at this terminal about changed tests before they count. Empty: the request is about something else,
 * or no person is known to sit there. Null: they said no.
 */
export async function rulingHere(
  { streams: { err }, directory }: Session,
  loops: App,
  run: string,
  call: string | undefined,
): Promise<RulingHere | null> {
  const question = chosen((await loops.questions(run)) ?? [], call, 'grant');
  if ('because' in question) return {};
  const dispute = await askedDispute(loops, question);
  if (dispute === null) return {};
  const { createdAt } = (await loops.log.run(question.run)) ?? {};
  const since = createdAt === undefined ? undefined : new Date(createdAt);
  const heard = await askGrounds({ question, dispute }, { err, input: process.stdin, directory, since });
  if (heard.said === 'no') return null;
  if (heard.said === 'yes') return { by: heard.by, digest: dispute.digest };
  err.line('warning: this is no terminal from before the run, so no person is known to approve, and the work is weak');
  return {};
}
