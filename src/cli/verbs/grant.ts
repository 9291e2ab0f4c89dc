import { userFolder } from '../../config/places.ts';
import type { App } from '../../app/app.ts';
import { approveLeft } from '../../app/proof/approve-left.ts';
import { GROUNDS } from '../../loops/grounds-questions.ts';
import type { RunRecord } from '../../log/event-store.ts';
import { noChange } from '../pages/print-patch.ts';
import { EXIT } from '../terminal/exit-status.ts';
import { findRun, type RunReference } from '../args/find-run.ts';
import { rememberedIn, rememberInProject } from '../live/remember-permission.ts';
import { rulingHere } from '../live/ruling-here.ts';
import { printCommandResult } from '../live/command-result.ts';
import type { CommandResult } from '../../app/people/people-result.ts';
import { oneLine } from '../../projections/phrases.ts';
import type { Session } from '../session.ts';
import { accessText } from '../../kernel/access-through-walls.ts';

const MAX_ALLOWS_CHARS = 2_000;
const MAX_NAMED = 20;
const MAX_PATH_CHARS = 200;

export interface GrantFlags {
  readonly granted: boolean;
  readonly call?: string;
  readonly reason?: string;
  readonly digest?: string;
  /** `run` or `project`: it is allowed for good there. */
  readonly remember?: string;
}

/** Approves or denies a permission or an approval that a run asks for. */
export async function grant(
  session: Session,
  reference: RunReference,
  { granted, call, reason, digest, remember }: GrantFlags,
): Promise<number> {
  const kept = rememberedIn(remember);
  const loops = await session.loops('write', { runs: [reference], otherwise: 'refuse' });
  const record = await findRun(loops.log, reference);
  if (granted && call === GROUNDS && (await asksNothing(loops, record.root)))
    return approveGrounds(session, loops, record);
  const ruled = granted ? await rulingHere(session, loops, record.run, call) : {};
  if (ruled === null) {
    await loops.log.close();
    session.streams.err.line(`run ${record.run} still waits: the changes do not count, and were not denied`);
    return EXIT.waiting;
  }
  const heard = await loops.grant(record.run, {
    granted,
    ...(call === undefined ? {} : { call }),
    ...(reason === undefined ? {} : { reason }),
    ...ruled,
    ...(digest === undefined ? {} : { digest }),
    ...(kept === undefined ? {} : { remember: true }),
  });
  if (kept === 'project' && heard.kind === 'received' && heard.question)
    await rememberInProject(loops, heard.question, session.streams.err);
  return printCommandResult({ session, loops, record, call, what: rulingText(granted, heard, kept) }, heard);
}

/** Of a run that works no more: what it has left counts from the next run on. */
const asksNothing = async (loops: App, root: string): Promise<boolean> =>
  (await loops.log.holder(root)) === null && ((await loops.questions(root)) ?? []).length === 0;

async function approveGrounds(session: Session, loops: App, { run }: RunRecord): Promise<number> {
  const approved = await approveLeft(loops, run, userFolder(process.env));
  await loops.log.close();
  if (approved.kind !== 'approved') throw noChange('approve', approved);
  const { paths } = approved;
  const named = paths.slice(0, MAX_NAMED).map((path) => oneLine(path, MAX_PATH_CHARS));
  const more = paths.length > named.length ? ` and ${paths.length - named.length} more` : '';
  session.streams.err.line(
    paths.length === 0
      ? `run ${run} has left no changed test or configuration: there is nothing to approve`
      : `run ${run}: ${named.join(', ')}${more} count as it left them, from the next run on`,
  );
  return EXIT.success;
}

function rulingText(granted: boolean, heard: CommandResult, kept: string | undefined): string {
  const question = heard.kind === 'received' ? heard.question : undefined;
  if (question?.form) return `has declined to answer the server ${oneLine(question.form.server, MAX_PATH_CHARS)}`;
  const what = question?.kind === 'access' ? 'the permission' : 'the approval';
  const allows =
    question?.approval?.allows ?? (question?.path ? accessText({ path: question.path, opens: question.opens }) : '');
  if (granted && kept !== undefined)
    return `has it for good in this ${kept}: ${oneLine((question?.remembers ?? []).join('; '), MAX_ALLOWS_CHARS)}`;
  return `${granted ? `has ${what}` : `was denied ${what}`}: ${oneLine(allows, MAX_ALLOWS_CHARS)}`;
}
