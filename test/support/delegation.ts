import type { Message, ModelRequest } from '../../src/actors/model/model.ts';
import type { ScriptedAnswer } from '../../src/actors/model/script.ts';
import type { RunOptions } from '../../src/config/options.ts';
import type { Seen } from './observers.ts';

/** Options of a run that may delegate work. */
export const delegating: Partial<RunOptions> = {
  loop: 'turn',
  tools: ['delegate', 'note', 'slow', 'ask_user', 'finish'],
};

export const delegateCall = (task: string, more: object = {}) => ({ tool: 'delegate', arguments: { task, ...more } });

/** The task of the run that asks, without what its prompt says of checks. */
export const taskIn = ({ messages: [first] }: Pick<ModelRequest, 'messages'>): string =>
  first?.role === 'user' ? (first.text.split('\n\nThese checks')[0] ?? '') : '';

type Answering = (request: ModelRequest) => ScriptedAnswer | Promise<ScriptedAnswer>;

/** Answers by the task of the asking run; a run with any other task is done at once. */
export const byTask =
  (answers: { readonly [task: string]: Answering }): Answering =>
  (request) =>
    answers[taskIn(request)]?.(request) ?? { text: `${taskIn(request)}: done`, usage: USAGE };

export const USAGE = { inputTokens: 100, outputTokens: 10 };

/** The results of the calls so far. */
export const comeBack = ({ messages }: { readonly messages: readonly Message[] }) =>
  messages.flatMap((one) => (one.role === 'tool' ? [{ output: one.output, failed: one.failed }] : []));

export const settledIn = (facts: readonly Seen[]) =>
  facts.flatMap((fact) => (fact.type === 'child.settled' ? [fact.payload] : []));
export const admittedIn = (facts: readonly Seen[]) =>
  facts.flatMap((fact) => (fact.type === 'calls.admitted' ? [fact.payload] : []));

/** The first answer, and then the last one. */
export const firstly =
  (first: object, last: object = { text: 'all done', usage: USAGE }) =>
  ({ step }: ModelRequest) =>
    step === 0 ? { usage: USAGE, ...first } : last;
