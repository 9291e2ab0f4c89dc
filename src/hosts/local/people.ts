import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { callName, type Question } from '../../projections/questions.ts';
import { knownLoop } from '../../projections/loop-in-view.ts';
import { readQuestions } from '../../projections/read-questions.ts';
import { summarise } from '../../projections/read-summary.ts';
import type { Command } from '../../runtime/command.ts';
import type { GivenAnswer } from '../../kernel/loop-definition.ts';
import { madeBy } from '../../kernel/made-by-loop.ts';
import type { Supervisor } from '../../runtime/supervisor.ts';

/** The longest text that a person may send at once. */
export const MAX_WORDS_CHARS = 20_000;

/** The result of a person's command to a run. */
export type CommandResult =
  | { readonly kind: 'received'; readonly run: string; readonly version: number }
  | { readonly kind: 'unknown_run'; readonly run: string }
  | {
      readonly kind: 'refused';
      readonly because:
        | 'nothing_asked'
        | 'unknown_call'
        | 'several_asked'
        | 'asks_for_access'
        | 'asks_a_question'
        | 'no_such_path'
        | 'empty'
        | 'too_long'
        | 'not_taken';
      /** A sentence for the sender. */
      readonly message: string;
      /** The open questions of the run and those below it. */
      readonly open: readonly Question[];
    };

export interface Answer {
  /** Which question; needed where several questions are open. `RUN/CALL`, where two runs ask under one id. */
  readonly call?: string;
  readonly text: string;
}

export interface Grant {
  /** Which request; needed where several requests are open. `RUN/CALL`, where two runs ask under one id. */
  readonly call?: string;
  readonly granted: boolean;
  readonly reason?: string;
}

type Refused = Extract<CommandResult, { kind: 'refused' }>;
const refused = (because: Refused['because'], message: string, open: readonly Question[] = []): Refused => ({
  kind: 'refused',
  because,
  message,
  open,
});

/** Answers an open question of a run or of those below it. */
export async function answer(supervisor: Supervisor, run: string, { call, text }: Answer): Promise<CommandResult> {
  const open = await readQuestions(supervisor.log, run, supervisor.loops);
  if (!open) return { kind: 'unknown_run', run };
  const question = chosen(open, call, 'question');
  if ('because' in question) return question;
  if (question.kind === 'access') {
    return refused(
      'asks_for_access',
      `call ${question.callId} asks for permission to read ${question.path}: approve or deny it`,
      open,
    );
  }
  const unfit = unfitWords(text, open);
  if (unfit) return unfit;
  return passOn(supervisor, question, { answer: text });
}

/** Approves or denies an open request of a run, or of those below it, to read outside the workspace. */
export async function grant(
  supervisor: Supervisor,
  run: string,
  { call, granted, reason }: Grant,
): Promise<CommandResult> {
  const open = await readQuestions(supervisor.log, run, supervisor.loops);
  if (!open) return { kind: 'unknown_run', run };
  const request = chosen(open, call, 'access');
  if ('because' in request) return request;
  if (request.path === null) {
    return refused('asks_a_question', `call ${request.callId} asks a question: answer it with a text`, open);
  }
  const unfit = reason === undefined ? null : unfitWords(reason, open);
  if (unfit) return unfit;
  const wanted = resolve(request.path);
  const real = await realpath(wanted).catch(() => null);
  if (granted && real === null)
    return refused('no_such_path', `${wanted} cannot be read here: nothing is there, or it is out of reach`, open);
  const path = real ?? wanted;
  const ruling = granted ? `granted: ${path} and everything below it may be read` : `refused: ${path} may not be read`;
  return passOn(supervisor, request, {
    answer: reason === undefined ? ruling : `${ruling}; ${reason}`,
    access: { granted, path },
  });
}

/** Adds to the task of a run: its model gets the text before its next answer, later attempts from the start. */
export async function steer(supervisor: Supervisor, run: string, text: string): Promise<CommandResult> {
  return unfitWords(text, []) ?? tell(supervisor, run, { type: 'run.steered', payload: { text } });
}

/** Stops a run with everything below it, and leaves it to be resumed. */
export const pause = (supervisor: Supervisor, run: string): Promise<CommandResult> =>
  tell(supervisor, run, { type: 'run.paused', payload: { by: 'user' } });

/** Sends an answer as the event that the asking run's loop makes of it. */
async function passOn(supervisor: Supervisor, { run, callId }: Question, given: GivenAnswer): Promise<CommandResult> {
  const { log, loops } = supervisor;
  const { summary } = await summarise(log, run, loops);
  const loop = summary && knownLoop(summary.machine, loops);
  const event = loop?.answered?.(callId, given);
  if (!loop || !event)
    return refused(
      'not_taken',
      `${summary?.machine ?? run} cannot turn an answer into an event: add answered to its definition`,
    );
  return tell(supervisor, run, madeBy(loop, event));
}

async function tell(supervisor: Supervisor, run: string, command: Command): Promise<CommandResult> {
  const sent = await supervisor.send(run, command);
  switch (sent.kind) {
    case 'delivered':
      return { kind: 'received', run, version: sent.version };
    case 'unknown_run':
      return sent;
    case 'rejected':
      return refused('not_taken', sent.reason, (await readQuestions(supervisor.log, run, supervisor.loops)) ?? []);
  }
}

/** The open question that an answer is for: a text fits only a question, an approval only a request to read. */
function chosen(open: readonly Question[], call: string | undefined, kind: Question['kind']): Question | Refused {
  const fitting = open.filter((one) => one.kind === kind);
  const unnamed = fitting.length > 0 ? fitting : open;
  const [first, ...others] = call === undefined ? unnamed : open.filter((one) => isNamed(one, call));
  if (first && others.length === 0) return first;
  if (first) {
    const names = [first, ...others].map((one) => callName(one, open)).join(', ');
    return refused(
      'several_asked',
      `${others.length + 1} calls wait for such an answer: say which one is meant, of ${names}`,
      open,
    );
  }
  if (open.length === 0) return refused('nothing_asked', 'it is not waiting for a person', open);
  return refused(
    'unknown_call',
    `no call ${call} is waiting for a person; waiting: ${open.map((one) => callName(one, open)).join(', ')}`,
    open,
  );
}

/** By its id alone, or together with the run that asks, or the end of that run's id. */
function isNamed({ run, callId }: Question, name: string): boolean {
  const cut = name.lastIndexOf('/');
  return name.slice(cut + 1) === callId && run.endsWith(name.slice(0, Math.max(0, cut)));
}

function unfitWords(text: string, open: readonly Question[]): Refused | null {
  if (text.trim() === '') return refused('empty', 'expected a text, found none', open);
  if (text.length <= MAX_WORDS_CHARS) return null;
  return refused('too_long', `expected at most ${MAX_WORDS_CHARS} characters, found ${text.length}`, open);
}
