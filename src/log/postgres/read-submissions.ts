import type { QueueStore, Submission } from '../queue-store.ts';
import { submissionOf, type SubmissionRow } from '../submission-row.ts';
import { SELECT_SUBMISSIONS } from './queue-schema.ts';
import type { Server } from './server.ts';
import { damaged } from './server-failure.ts';

/** Reads what stands in the queue of a log on a server, and changes nothing there. */
export function readSubmissions(server: Server): Pick<QueueStore, 'submission' | 'submissions' | 'submissionsOf'> {
  const found = async (which: string, values: readonly unknown[] = []): Promise<Submission[]> =>
    (await server.reading<SubmissionRow>(`${SELECT_SUBMISSIONS} WHERE ${which}`, values)).map((row) =>
      wholeSubmission(server, row),
    );
  return {
    submission: async (run) => (await found('run = $1', [run]))[0] ?? null,
    submissions: () => found(`standing <> 'over' ORDER BY key`),
    submissionsOf: (key, since) =>
      found(`limit_key = $1 AND (standing <> 'over' OR due_at >= $2) ORDER BY key`, [key, Date.parse(since)]),
  };
}

/** Returns a submission as its row has it. Throws where the row is damaged. */
export const wholeSubmission = (server: Server, row: SubmissionRow): Submission =>
  submissionOf(row, (reason) => damaged(server.store, reason));
