import type { Question } from '../../projections/questions.ts';
import { filledForm } from '../../prompt/answer-form.ts';
import { knownLoop } from '../../projections/loop-in-view.ts';
import { readClosed } from '../../projections/read-questions.ts';
import { summarise } from '../../projections/read-summary.ts';
import type { Command } from '../../runtime/command.ts';
import type { GivenAnswer } from '../../kernel/loop-definition.ts';
import { accessText } from '../../kernel/access-through-walls.ts';
import { madeBy } from '../../kernel/loop-authorship.ts';
import type { Supervisor } from '../../runtime/supervisor.ts';
import { type CommandResult, refused, type RefusedCommand } from './people-result.ts';
import { answeredBefore, chosen, firstAnswer, isNamed, withdrawnText } from './open-question.ts';
import { askedOf, placeOf } from './question-places.ts';
import { accessRuling, approvalRuling, changed, type Grant } from './ruling.ts';

/** The longest text that a person may send at once. */
export const MAX_WORDS_CHARS = 20_000;

export interface Answer {
  /** Which question; needed where several questions are open. `RUN/CALL`, where two runs ask under one id. */
  readonly call?: string;
  readonly text: string;
}

/** Answers an open question of a run or of those below it. */
export async function answer(supervisor: Supervisor, run: string, { call, text }: Answer): Promise<CommandResult> {
  const open = await askedOf(supervisor.log, run, supervisor.loops);
  if (!open) return { kind: 'unknown_run', run };
  const question = chosen(open, call, 'answer');
  if ('because' in question) return withFirst(supervisor, run, call, question);
  const { callId, path, opens } = question;
  if (question.kind === 'access')
    return refused(
      'asks_for_access',
      `call ${callId} asks for permission for ${accessText({ path: path ?? '', opens })}: approve or deny it`,
      open,
    );
  if (question.kind === 'approval')
    return refused('asks_for_approval', `call ${callId} asks for an approval: approve or deny it`, open);
  return unfitWords(text, open) ?? passOn(supervisor, question, writtenAnswer(question, text, open));
}

/** Approves or denies an open request of a run, or of those below it: to read outside the workspace, or an approval. */
export async function grant(supervisor: Supervisor, run: string, given: Grant): Promise<CommandResult> {
  const { call, reason } = given;
  const open = await askedOf(supervisor.log, run, supervisor.loops);
  if (!open) return { kind: 'unknown_run', run };
  const request = chosen(open, call, 'grant');
  if ('because' in request) return withFirst(supervisor, run, call, request);
  const { kind, approval, callId, form } = request;
  if (form && !given.granted)
    return passOn(supervisor, request, { answer: 'declined', form: { digest: form.digest, action: 'decline' } });
  if (kind === 'question')
    return refused('asks_a_question', `call ${callId} asks a question: answer it with a text`, open);
  const unfit = reason === undefined ? null : unfitWords(reason, open);
  if (unfit) return unfit;
  if (kind === 'access') {
    const place = await placeOf(supervisor.log, request);
    return passOn(supervisor, request, accessRuling(place, given, open));
  }
  if (!approval)
    throw new TypeError(`${request.run}: the question of call ${callId} is an approval without its digest`);
  const ruling = approvalRuling({ ...request, approval }, given, open);
  if ('because' in ruling || !request.opensWalls) return passOn(supervisor, request, ruling);
  const action = given.granted ? 'accept' : 'decline';
  return passOn(supervisor, request, { ...ruling, form: { digest: approval.digest, action } });
}

/** A written answer: of a form, as its fields have it. */
function writtenAnswer({ callId, form }: Question, text: string, open: readonly Question[]) {
  if (!form) return { answer: text };
  const filled = filledForm(form, text);
  return typeof filled === 'string'
    ? refused('unfit_answer', `the answer to call ${callId} does not fit: ${filled}`, open)
    : { answer: text, form: filled };
}

/** Adds to the task of a run: its model gets the text before its next answer, later attempts from the start. */
export async function steer(supervisor: Supervisor, run: string, text: string): Promise<CommandResult> {
  return unfitWords(text, []) ?? tell(supervisor, run, { type: 'run.steered', payload: { text } });
}

/** Stops a run with everything below it, and leaves it to be resumed. */
export const pause = (supervisor: Supervisor, run: string): Promise<CommandResult> =>
  tell(supervisor, run, { type: 'run.paused', payload: { by: 'user' } });

/** Sends an answer as the event that the asking run's loop makes of it. */
async function passOn(
  supervisor: Supervisor,
  question: Question,
  given: GivenAnswer | RefusedCommand,
): Promise<CommandResult> {
  if ('because' in given) return { ...given, question };
  const { log, loops } = supervisor;
  const { run, callId } = question;
  const { summary } = await summarise(log, run, loops);
  const loop = summary && knownLoop(summary.machine, loops);
  const event = loop?.answered?.(callId, given);
  if (!loop || !event)
    return refused(
      'not_taken',
      `${summary?.machine ?? run} cannot turn an answer into an event: add answered to its definition`,
    );
  const told = await tell(supervisor, run, madeBy(loop, event));
  switch (told.kind) {
    case 'received':
      return { ...told, question };
    case 'refused':
      return overtaken(supervisor, question, told);
    default:
      return told;
  }
}

async function tell(supervisor: Supervisor, run: string, command: Command): Promise<CommandResult> {
  const sent = await supervisor.send(run, command);
  switch (sent.kind) {
    case 'delivered':
      return { kind: 'received', run, version: sent.version };
    case 'unknown_run':
      return sent;
    case 'held':
      return refused('held', sent.reason);
    case 'rejected':
      return refused('not_taken', sent.reason, (await askedOf(supervisor.log, run, supervisor.loops)) ?? []);
  }
}

/** What came first, where an answer was refused that fitted when it was sent: another answer, or another question. */
async function overtaken(
  { log, loops }: Supervisor,
  { run, callId, event, approval }: Question,
  told: RefusedCommand,
): Promise<RefusedCommand> {
  const now = told.open.find((one) => one.run === run && one.callId === callId);
  if (now?.kind === 'approval' && now.approval?.digest !== approval?.digest) return changed(callId, told.open);
  const { answered } = await readClosed(log, run, loops);
  const first = answered.findLast((one) => one.event === event && one.callId === callId);
  return first ? answeredBefore(first, told.open) : told;
}

/** Adds what became of the newest question that was meant, where no open one fits: its answer, or that it has none. */
async function withFirst(
  { log, loops }: Supervisor,
  run: string,
  call: string | undefined,
  told: RefusedCommand,
): Promise<RefusedCommand> {
  if (told.because !== 'nothing_asked' && told.because !== 'unknown_call') return told;
  const { answered, withdrawn } = await readClosed(log, run, loops);
  const isMeant = (one: Question) => call === undefined || isNamed(one, call);
  const first = answered.findLast(isMeant);
  const lost = withdrawn.findLast(isMeant);
  if (lost && (!first || lost.askedAt > first.answeredAt))
    return { ...told, message: `${told.message}; ${withdrawnText(lost)}` };
  if (!first) return told;
  if (call !== undefined) return answeredBefore(first, told.open);
  return { ...told, message: `${told.message}; ${firstAnswer(first)}`, first };
}

function unfitWords(text: string, open: readonly Question[]): RefusedCommand | null {
  if (text.trim() === '') return refused('empty', 'expected a text, found none', open);
  if (text.length <= MAX_WORDS_CHARS) return null;
  return refused('too_long', `expected at most ${MAX_WORDS_CHARS} characters, found ${text.length}`, open);
}
