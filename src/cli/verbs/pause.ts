import { findRun, type RunReference } from '../find-run.ts';
import { tellHeard } from '../heard.ts';
import type { Session } from '../session.ts';

/** Stops what a run is doing, and leaves it to be resumed. */
export async function pause(session: Session, reference: RunReference): Promise<number> {
  const loops = await session.loops('write', { runs: [reference], otherwise: 'refuse' });
  const record = await findRun(loops.log, reference);
  return tellHeard({ session, loops, record, what: 'is paused', isLeft: true }, await loops.pause(record.run));
}
