import { concatMap, filter, firstValueFrom, map, type Observable } from 'rxjs';
import type { LiveRun, Loops } from '../hosts/local/loops.ts';
import type { Envelope } from '../log/envelope.ts';
import type { Question } from '../projections/questions.ts';
import { plain } from '../projections/wording.ts';
import { forgetTyped } from './forget-typed.ts';
import type { Output } from './output.ts';
import { chosen, isYes, questionLines } from './question.ts';
import { readLine, type Reply } from './read-line.ts';

/** Who asks the people that a run waits for. */
export interface Attendance {
  readonly loops: Loops;
  readonly live: LiveRun;
  readonly facts: Observable<Envelope>;
  readonly err: Output;
  /** Where a person types; null: nobody is there to be asked. */
  readonly input: NodeJS.ReadStream | null;
  /** Told before a person is asked, and after. */
  readonly onAsking: (isAsking: boolean) => void;
}

/** Sees to it that a run that waits only for people does not wait in vain: asks who is there, or pauses it. */
export async function attend(attendance: Attendance): Promise<void> {
  const { live, loops, input, onAsking } = attendance;
  const over = new AbortController();
  const end = () => over.abort();
  live.done.then(end, end);
  while (await comesTo(live, true)) {
    const questions = (await loops.questions(live.run)) ?? [];
    onAsking(true);
    const isAnswered = input !== null && (await askAll(attendance, input, questions, over.signal));
    onAsking(false);
    if (over.signal.aborted) return;
    if (!isAnswered) await live.pause('waiting');
    // What was said is on its way: nobody is asked twice.
    await comesTo(live, false);
  }
}

/** Waits until the run waits, or no longer does; false where it has left before. */
const comesTo = ({ waiting }: LiveRun, isWaiting: boolean): Promise<boolean> =>
  firstValueFrom(waiting.pipe(filter((now) => now === isWaiting), map(() => true)), { defaultValue: false });

/** False as soon as nobody answers any more. */
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
  const { err } = attendance;
  await forgetTyped(input);
  for (const line of questionLines(question)) err.line(err.colours.bold(line));
  for (;;) {
    err.prompt(question.kind === 'access' ? 'y/N > ' : '> ');
    const reply = await replyTo(attendance, input, question, over);
    err.prompted(reply.kind === 'line');
    if (reply.kind !== 'line') return reply.kind === 'withdrawn';
    if (question.kind === 'question' && reply.text.trim() === '') continue;
    const refused = await pass(attendance, question, reply.text);
    if (refused === null) return true;
    err.line(plain(refused));
  }
}

/** A line, unless the question is answered elsewhere meanwhile, or nobody wants to know any more. */
async function replyTo(
  { facts, loops, live }: Attendance,
  input: NodeJS.ReadStream,
  { run, callId }: Question,
  over: AbortSignal,
): Promise<Reply> {
  const elsewhere = new AbortController();
  const isOpen = async () => ((await loops.questions(live.run)) ?? []).some((one) => one.run === run && one.callId === callId);
  const settled = facts.pipe(filter((envelope) => envelope.run === run), concatMap(isOpen), filter((still) => !still));
  const withdraw = () => elsewhere.abort();
  // A log that cannot be read ends the run, which says why.
  const listening = settled.subscribe({ next: withdraw, error: withdraw });
  try {
    return await readLine(input, AbortSignal.any([over, elsewhere.signal]));
  } finally {
    listening.unsubscribe();
  }
}

/** Why an answer was not taken; null where it was, or came too late to matter. */
async function pass({ loops, live }: Attendance, question: Question, line: string): Promise<string | null> {
  const call = question.callId;
  const said =
    question.kind === 'access'
      ? await loops.grant(live.run, { call, granted: isYes(line) })
      : await loops.answer(live.run, { call, text: chosen(question, line) });
  return said.kind === 'refused' && said.because !== 'unknown_call' && said.because !== 'nothing_asked' ? said.message : null;
}
