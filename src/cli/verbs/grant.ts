import { findRun, type RunReference } from '../find-run.ts';
import { tellHeard } from '../heard.ts';
import type { Session } from '../session.ts';

export interface GrantFlags {
  readonly granted: boolean;
  readonly call?: string;
  readonly reason?: string;
}

/** Allows or forbids what a run asks leave for. */
export async function grant(session: Session, reference: RunReference, { granted, call, reason }: GrantFlags): Promise<number> {
  const loops = await session.loops('write', { runs: [reference], otherwise: 'refuse' });
  const record = await findRun(loops.log, reference);
  const heard = await loops.grant(record.run, {
    granted,
    ...(call === undefined ? {} : { call }),
    ...(reason === undefined ? {} : { reason }),
  });
  return tellHeard({ session, loops, record, call, what: granted ? 'has leave to read' : 'was told no' }, heard);
}
