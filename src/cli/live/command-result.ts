import type { App } from '../../app/app.ts';
import type { CommandResult } from '../../app/people/people-result.ts';
import type { RunRecord } from '../../log/event-store.ts';
import { plain, processOf } from '../../projections/phrases.ts';
import { Complaint, usage } from '../pages/complaint.ts';
import { EXIT } from '../terminal/exit-status.ts';
import { shortId } from '../args/find-run.ts';
import { answerCommands, shortName } from '../pages/next-commands.ts';
import { heldElsewhere } from '../pages/refusal-text.ts';
import { questionLines } from '../terminal/question-lines.ts';
import type { Session } from '../session.ts';

export interface Told {
  readonly session: Session;
  readonly loops: App;
  readonly record: RunRecord;
  /** The call that the user named. */
  readonly call?: string | undefined;
  /** What the command did to the run, as in `has the answer`. */
  readonly what: string;
  /** What to try where the run has ended. Absent: to look at it. */
  readonly ifEnded?: readonly string[] | undefined;
  /** The process that owns the run is about to release it, because of this command. */
  readonly isLeft?: boolean;
}

/** Prints whether a run took a command, and what to do next. Returns the exit status. */
export async function printCommandResult(
  { session, loops, record, call, what, ifEnded, isLeft = false }: Told,
  heard: CommandResult,
): Promise<number> {
  const { run, root } = record;
  if (heard.kind === 'unknown_run') throw usage('RUN', 'the id of a run in this log', `'${run}'`, ['runs']);
  if (heard.kind === 'refused')
    throw refused(run, heard, { call, ifEnded: record.closed === null ? undefined : ifEnded });
  const { err } = session.streams;
  const by = isLeft ? null : await loops.log.holder(root);
  const { closed = null } = (await loops.log.run(root)) ?? {};
  const questions = (await loops.questions(root)) ?? [];
  await loops.log.close();
  err.line(`run ${run} ${what}`);
  if (closed !== null) err.line(`and has ended since: ${closed}`);
  else if (by) err.line(`${processOf(by)} continues it`);
  for (const question of questions) for (const line of questionLines(question)) err.line(line);
  const answers = questions.flatMap((question) => answerCommands(root, question, questions));
  const id = shortId(root);
  const goesOn = by ? ['events', id, '--follow'] : ['resume', id];
  for (const words of [...answers, closed === null ? goesOn : ['show', id]]) err.line(`next  ${session.again(words)}`);
  return EXIT.success;
}

function refused(
  run: string,
  { because, message, open, question }: Extract<CommandResult, { kind: 'refused' }>,
  { call, ifEnded }: Pick<Told, 'call' | 'ifEnded'>,
): Complaint {
  if (because === 'held') return heldElsewhere(run, message);
  const asked = open.flatMap((question) =>
    questionLines(question).map((line, index) => (index === 0 ? `call ${shortName(question, open)}  ${line}` : line)),
  );
  const about = question ?? open.find(({ callId }) => callId === call) ?? open[0];
  const ways = about ? answerCommands(run, about, open) : [];
  // A permission for a path that does not exist can still be refused.
  const next = because === 'no_such_path' ? ways.at(-1) : ways[0];
  const isInTheWay = because === 'not_taken' || because === 'nothing_asked';
  return new Complaint(
    EXIT.usage,
    [`run ${run}: ${message}`, ...asked].map(plain).join('\n'),
    next ?? (isInTheWay ? (ifEnded ?? ['show', shortId(run)]) : null),
  );
}
