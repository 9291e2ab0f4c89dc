import { usage } from '../pages/complaint.ts';
import { submissionNamed } from '../args/find-submission.ts';
import type { Session } from '../session.ts';
import { EXIT } from '../terminal/exit-status.ts';

/** Hands a run back to the workers that a person has paused, or that was set aside. */
export async function requeue(session: Session, named: string): Promise<number> {
  const { log } = await session.loops('write');
  try {
    const { run, standing } = await submissionNamed(log, named);
    if (!(await log.requeue(run)))
      throw usage('RUN', 'one that is paused or set aside', `run ${run}, which is ${standing}`, ['queue']);
    session.streams.err.line(`run ${run} is due`);
    return EXIT.success;
  } finally {
    await log.close();
  }
}
