import type { Dispute } from '../../../machines/recorded-proof.ts';
import { GROUNDS } from '../../loops/grounds-questions.ts';
import { readableFacts } from '../../projections/read-summary.ts';
import type { Question } from '../../projections/questions.ts';
import type { AppHost } from '../app-host.ts';

/** The dispute that a question is about, as it was recorded. Null: the question is not about changed grounds. */
export async function askedDispute(
  { log, definitions }: Pick<AppHost, 'log' | 'definitions'>,
  { run, callId, kind, event }: Question,
): Promise<Dispute | null> {
  if (kind !== 'approval' || callId !== GROUNDS) return null;
  for await (const fact of readableFacts(log, run, definitions)) {
    if (fact.type === 'verification.completed' && `${fact.run}/${fact.version}` === event)
      return fact.payload.proof?.dispute ?? null;
  }
  return null;
}
