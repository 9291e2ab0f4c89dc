import { type RunReference, takenRun } from '../args/find-run.ts';
import { printBrought } from '../pages/print-brought.ts';
import type { Session } from '../session.ts';

export interface UndoFlags {
  readonly check?: boolean;
  readonly force?: boolean;
  readonly json?: boolean;
}

/** Brings the files that a run has changed back to what they were when it began. */
export async function undo(session: Session, reference: RunReference, flags: UndoFlags): Promise<number> {
  const loops = await session.loops('read', { runs: [reference], otherwise: 'ignore' });
  const { run } = await takenRun(session, loops.log, reference);
  const { check = false, force = false } = flags;
  const undone = await loops.undo(run, { check, force }).finally(() => loops.log.close());
  return printBrought(session, 'undo', undone, flags);
}
