import { isDeepStrictEqual } from 'node:util';
import { concatMap, filter } from 'rxjs';
import type { Approver } from '../../../machines/recorded-proof.ts';
import type { RefusedCommand } from '../../app/people/people-result.ts';
import type { Question } from '../../projections/questions.ts';
import { plain } from '../../projections/phrases.ts';
import { forgetTyped, readLine, type Reply, chosen, denialIn, isYes } from '../terminal/question-lines.ts';
import type { Output } from '../terminal/output.ts';
import { personHere } from '../terminal/person-here.ts';
import { shownQuestion } from './question-view.ts';
import { REMEMBERED, rememberInProject } from './remember-permission.ts';
import { type Asking, comesTo, somethingElse } from './wait-changes.ts';

/** What asking the user needs. */
export interface Attendance extends Asking {
  readonly err: Output;
  /** Where the user types; null without a terminal. */
  readonly input: NodeJS.ReadStream | null;
  /** The folder that the call is about. */
  readonly directory: string;
  /** Called before the user is asked, and after. */
  readonly onAsking: (isAsking: boolean) => void;
}

/** Asks the user the questions that a run waits for; without a terminal, or without an answer, pauses the run. */
export async function attend(attendance: Attendance): Promise<void> {
  const { live, loops, input, onAsking } = attendance;
  const over = new AbortController();
  const end = () => over.abort();
  live.done.then(end, end);
  while (await comesTo(live, true)) {
    const questions = (await loops.questions(live.run)) ?? [];
    onAsking(true);
    // Without a question a person has something else to do first: to mend a file, for example.
    const isAsked = input !== null && questions.length > 0;
    const isAnswered = isAsked && (await askAll(attendance, input, questions, over.signal));
    onAsking(false);
    if (over.signal.aborted) return;
    if (!isAnswered) await live.pause('waiting');
    // The answer is on its way to the run: wait, so that the same question is not asked twice.
    await somethingElse(attendance, questions);
  }
}

/** False as soon as one question gets no answer. */
async function askAll(
  attendance: Attendance,
  input: NodeJS.ReadStream,
  questions: readonly Question[],
  over: AbortSignal,
): Promise<boolean> {
  for (const question of questions) {
    if (over.aborted || !(await ask(attendance, input, question, over))) return false;
  }
  return true;
}

async function ask(
  attendance: Attendance,
  input: NodeJS.ReadStream,
  question: Question,
  over: AbortSignal,
): Promise<boolean> {
  const { err, loops, directory } = attendance;
  const { lines, isDispute } = await shownQuestion(loops, question);
  await forgetTyped(input);
  for (const line of lines) err.line(err.colours.bold(line));
  for (;;) {
    err.prompt(question.remembers ? FOR_GOOD : PROMPTS[question.kind]);
    const reply = await replyTo(attendance, input, question, over);
    err.prompted(reply.kind === 'line');
    if (reply.kind !== 'line') return reply.kind === 'withdrawn';
    if (question.kind === 'question' && reply.text.trim() === '') continue;
    const by = isDispute && isYes(reply.text) ? await personHere({ err, input, directory }) : null;
    const refused = await pass(attendance, { question, by }, reply.text);
    if (refused === null) return true;
    err.line(plain(refused));
  }
}

/** A typed line, unless the question is answered elsewhere or changes meanwhile, or the run is over. */
async function replyTo(
  { facts, loops, live }: Attendance,
  input: NodeJS.ReadStream,
  question: Question,
  over: AbortSignal,
): Promise<Reply> {
  const { run } = question;
  const elsewhere = new AbortController();
  const isOpen = async () => ((await loops.questions(live.run)) ?? []).some((one) => isDeepStrictEqual(one, question));
  const settled = facts.pipe(
    filter((envelope) => envelope.run === run),
    concatMap(isOpen),
    filter((still) => !still),
  );
  const withdraw = () => elsewhere.abort();
  // A log that cannot be read ends the run, which says why.
  const listening = settled.subscribe({ next: withdraw, error: withdraw });
  try {
    return await readLine(input, AbortSignal.any([over, elsewhere.signal]));
  } finally {
    listening.unsubscribe();
  }
}

const FOR_GOOD = 'y/N, run or project for good, or why not > ';
const PROMPTS = { question: '> ', access: 'y/N > ', approval: 'y/N, or why not > ' } as const;

/** Of a change, whatever is neither yes nor no says why it is denied. */
function reasonIn({ kind }: Question, line: string): { readonly reason?: string } {
  const reason = kind === 'approval' && !isYes(line) ? denialIn(line) : null;
  return reason === null ? {} : { reason };
}

/** Refusals after which the question is no longer open as it was shown. */
const TOO_LATE: readonly RefusedCommand['because'][] = [
  'unknown_call',
  'nothing_asked',
  'answered_before',
  'has_changed',
];

/** A question, and the person who lets changed tests count. Null: it is about something else, or no person is known. */
interface Ruling {
  readonly question: Question;
  readonly by: Approver | null;
}

/** Why an answer was not taken; null where it was, or came too late to matter. */
async function pass({ loops, live, err }: Attendance, { question, by }: Ruling, line: string): Promise<string | null> {
  const { callId: call, kind, approval, remembers } = question;
  const kept = remembers && REMEMBERED.find((one) => one === line.trim().toLowerCase());
  const said =
    kind === 'question'
      ? await loops.answer(live.run, { call, text: chosen(question, line) })
      : await loops.grant(live.run, {
          call,
          granted: isYes(line) || kept !== undefined,
          ...(kept === undefined ? reasonIn(question, line) : { remember: true }),
          ...(approval ? { digest: approval.digest } : {}),
          ...(by ? { by } : {}),
        });
  if (kept === 'project' && said.kind === 'received') await rememberInProject(loops, question, err);
  return said.kind === 'refused' && !TOO_LATE.includes(said.because) ? said.message : null;
}
