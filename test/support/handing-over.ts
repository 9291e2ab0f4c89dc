import type { Message, ModelRequest } from '../../src/actors/model/model.ts';
import type { ScriptedAnswer } from '../../src/actors/model/script.ts';
import type { RunOptions } from '../../src/config/options.ts';
import type { Seen } from './audience.ts';

/** A run that may hand work over. */
export const delegating: Partial<RunOptions> = { loop: 'turn', tools: ['delegate', 'note', 'slow', 'ask_user', 'finish'] };

export const handing = (task: string, more: object = {}) => ({ tool: 'delegate', arguments: { task, ...more } });

/** The task of the run that asks. */
export const taskIn = ({ messages: [first] }: Pick<ModelRequest, 'messages'>): string => (first?.role === 'user' ? first.text : '');

type Answering = (request: ModelRequest) => ScriptedAnswer | Promise<ScriptedAnswer>;

/** Everybody answers as their task is; whoever has another one is done with it at once. */
export const byTask = (answers: { readonly [task: string]: Answering }): Answering => (request) =>
  answers[taskIn(request)]?.(request) ?? { text: `${taskIn(request)}: done`, usage: USAGE };

export const USAGE = { inputTokens: 100, outputTokens: 10 };

/** What calls have come to so far. */
export const comeBack = ({ messages }: { readonly messages: readonly Message[] }) =>
  messages.flatMap((one) => (one.role === 'tool' ? [{ output: one.output, failed: one.failed }] : []));

export const settledIn = (facts: readonly Seen[]) => facts.flatMap((fact) => (fact.type === 'child.settled' ? [fact.payload] : []));
export const admittedIn = (facts: readonly Seen[]) => facts.flatMap((fact) => (fact.type === 'calls.admitted' ? [fact.payload] : []));

/** First this, and then that. */
export const firstly = (first: object, last: object = { text: 'all done', usage: USAGE }) =>
  ({ step }: ModelRequest) => (step === 0 ? { usage: USAGE, ...first } : last);
