import { findRun, type RunReference } from '../args/find-run.ts';
import { printCommandResult } from '../live/command-result.ts';
import type { CommandResult } from '../../hosts/local/people-result.ts';
import { oneLine } from '../../projections/phrases.ts';
import type { Session } from '../session.ts';

const MAX_ALLOWS_CHARS = 2_000;

export interface GrantFlags {
  readonly granted: boolean;
  readonly call?: string;
  readonly reason?: string;
  readonly digest?: string;
}

/** Approves or denies a permission or an approval that a run asks for. */
export async function grant(
  session: Session,
  reference: RunReference,
  { granted, call, reason, digest }: GrantFlags,
): Promise<number> {
  const loops = await session.loops('write', { runs: [reference], otherwise: 'refuse' });
  const record = await findRun(loops.log, reference);
  const heard = await loops.grant(record.run, {
    granted,
    ...(call === undefined ? {} : { call }),
    ...(reason === undefined ? {} : { reason }),
    ...(digest === undefined ? {} : { digest }),
  });
  return printCommandResult({ session, loops, record, call, what: rulingText(granted, heard) }, heard);
}

function rulingText(granted: boolean, heard: CommandResult): string {
  const question = heard.kind === 'received' ? heard.question : undefined;
  const what = question?.kind === 'access' ? 'the permission' : 'the approval';
  const allows = question?.approval?.allows ?? (question?.path ? `reading ${question.path}` : '');
  return `${granted ? `has ${what}` : `was denied ${what}`}: ${oneLine(allows, MAX_ALLOWS_CHARS)}`;
}
