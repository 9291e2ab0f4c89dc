import { findRun, type RunReference } from '../args/find-run.ts';
import { printCommandResult } from '../live/command-result.ts';
import type { Session } from '../session.ts';

/** Pauses a run, so that it can be resumed. */
export async function pause(session: Session, reference: RunReference): Promise<number> {
  const loops = await session.loops('write', { runs: [reference], otherwise: 'refuse', unlessOwned: true });
  const record = await findRun(loops.log, reference);
  return printCommandResult({ session, loops, record, what: 'is paused', isLeft: true }, await loops.pause(record.run));
}
