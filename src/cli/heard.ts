import type { Loops } from '../hosts/local/loops.ts';
import type { Heard } from '../hosts/local/people.ts';
import type { RunRecord } from '../log/log.ts';
import { plain, processOf } from '../projections/wording.ts';
import { Complaint, usage } from './complaint.ts';
import { EXIT } from './exit-status.ts';
import { shortId } from './find-run.ts';
import { answerCommands, shortName } from './next.ts';
import { questionLines } from './question.ts';
import type { Session } from './session.ts';

export interface Told {
  readonly session: Session;
  readonly loops: Loops;
  readonly record: RunRecord;
  /** The call that was meant, where one was named. */
  readonly call?: string | undefined;
  /** What the run has now been told, as in `has the answer`. */
  readonly what: string;
  /** Whoever serves it is about to leave it, because of what it was told. */
  readonly isLeft?: boolean;
}

/** Says how a run took what it was told, and what to do so that something comes of it. Returns the exit status. */
export async function tellHeard({ session, loops, record, call, what, isLeft = false }: Told, heard: Heard): Promise<number> {
  const { run, root } = record;
  if (heard.kind === 'unknown_run') throw usage('RUN', 'the id of a run in this log', `'${run}'`, ['runs']);
  if (heard.kind === 'refused') throw refused(run, heard, call);
  const { err } = session.streams;
  const by = isLeft ? null : await loops.log.holder(root);
  const { closed = null } = (await loops.log.run(root)) ?? {};
  const questions = (await loops.questions(root)) ?? [];
  await loops.log.close();
  err.line(`run ${run} ${what}`);
  if (closed !== null) err.line(`and has ended since: ${closed}`);
  else if (by) err.line(`${processOf(by)} goes on with it`);
  for (const question of questions) for (const line of questionLines(question)) err.line(line);
  const answers = questions.flatMap((question) => answerCommands(root, question, questions));
  const id = shortId(root);
  const goesOn = by ? ['events', id, '--follow'] : ['resume', id];
  for (const words of [...answers, closed === null ? goesOn : ['show', id]]) err.line(`next  ${session.again(words)}`);
  return EXIT.success;
}

function refused(run: string, { because, message, open }: Extract<Heard, { kind: 'refused' }>, call: string | undefined): Complaint {
  const asked = open.flatMap((question) => questionLines(question).map((line, index) => (index === 0 ? `call ${shortName(question, open)}  ${line}` : line)));
  const about = open.find(({ callId }) => callId === call) ?? open[0];
  const ways = about ? answerCommands(run, about, open) : [];
  // Leave that nobody can give can still be refused.
  const next = because === 'no_such_path' ? ways.at(-1) : ways[0];
  const isInTheWay = because === 'not_taken' || because === 'nothing_asked';
  return new Complaint(
    EXIT.usage,
    [`run ${run}: ${message}`, ...asked].map(plain).join('\n'),
    next ?? (isInTheWay ? ['show', shortId(run)] : null),
  );
}
