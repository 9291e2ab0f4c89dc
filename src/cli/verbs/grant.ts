import { findRun, type RunReference } from '../args/find-run.ts';
import { printCommandResult } from '../live/command-result.ts';
import type { Session } from '../session.ts';

export interface GrantFlags {
  readonly granted: boolean;
  readonly call?: string;
  readonly reason?: string;
}

/** Approves or denies a permission that a run asks for. */
export async function grant(
  session: Session,
  reference: RunReference,
  { granted, call, reason }: GrantFlags,
): Promise<number> {
  const loops = await session.loops('write', { runs: [reference], otherwise: 'refuse' });
  const record = await findRun(loops.log, reference);
  const heard = await loops.grant(record.run, {
    granted,
    ...(call === undefined ? {} : { call }),
    ...(reason === undefined ? {} : { reason }),
  });
  return printCommandResult(
    { session, loops, record, call, what: granted ? 'has the permission to read' : 'was denied the permission' },
    heard,
  );
}
