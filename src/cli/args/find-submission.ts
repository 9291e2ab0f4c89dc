import type { QueueStore, Submission } from '../../log/queue-store.ts';
import { usage } from '../pages/complaint.ts';
import { LIKE_A_RUN } from './find-run.ts';

/** The submission that an id, or a beginning or an end of one, names. Null: none, or several. */
export async function findSubmission(log: QueueStore, named: string): Promise<Submission | null> {
  const exact = await log.submission(named);
  if (exact || !LIKE_A_RUN.test(named)) return exact;
  const [only, ...more] = (await log.submissions()).filter(({ run }) => run.startsWith(named) || run.endsWith(named));
  return only && more.length === 0 ? only : null;
}

/** The same. Throws a `Complaint` where there is not one. */
export async function submissionNamed(log: QueueStore, named: string): Promise<Submission> {
  const found = await findSubmission(log, named);
  if (!found) throw usage('RUN', 'the id of a submitted run, or 4 or more characters of it', `'${named}'`, ['queue']);
  return found;
}
