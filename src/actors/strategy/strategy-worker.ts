import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import { parentPort, workerData } from 'node:worker_threads';
import { head } from '../../text/excerpt.ts';
import type { Introduction, Question, Reply, Source } from './strategy-thread.ts';

/** What a module brought, once it was seen to have the members of a strategy. */
export interface Made {
  readonly name: string;
  onIterationComplete(event: unknown): unknown;
  onLoopEnd?(event: unknown): unknown;
}

type Constructor = new (config: unknown) => unknown;
type Factory = (config: unknown) => unknown;

const MAX_NAME_CHARS = 100;
const SHOWN_CHARS = 80;

/** What an export stands for: a class and a factory are called with the config, anything else is taken as it is. */
export async function instanceOf(exported: unknown, config: unknown): Promise<unknown> {
  if (typeof exported !== 'function') return exported;
  return isClass(exported) ? new (exported as unknown as Constructor)(config) : (exported as Factory)(config);
}

/** `class` says so; a constructor from before that word has the methods on its prototype. */
function isClass(exported: object): boolean {
  if (/^class\b/.test(Function.prototype.toString.call(exported))) return true;
  const prototype: unknown = Reflect.get(exported, 'prototype');
  return typeof prototype === 'object' && prototype !== null && 'onIterationComplete' in prototype;
}

/** The first member of a strategy that is not as it has to be, and what is there; null where all are. */
export function lackIn(strategy: unknown): { readonly lacks: string; readonly found: string } | null {
  if (typeof strategy !== 'object' || strategy === null) return lack('name and onIterationComplete', strategy);
  const { name, onIterationComplete, onLoopEnd } = strategy as { readonly [member: string]: unknown };
  if (typeof name !== 'string' || name.trim() === '' || name.length > MAX_NAME_CHARS || !name.isWellFormed()) {
    return lack(`name, a text of 1 to ${MAX_NAME_CHARS} characters`, name);
  }
  if (typeof onIterationComplete !== 'function') return lack('onIterationComplete, a function', onIterationComplete);
  if (onLoopEnd !== undefined && typeof onLoopEnd !== 'function')
    return lack('onLoopEnd, a function where it is there', onLoopEnd);
  return null;
}

const lack = (lacks: string, found: unknown) => ({ lacks, found: head(inspect(found, { depth: 0 }), SHOWN_CHARS) });

// A thread with one user-written strategy: whatever its code does, the thread can be ended.

const MAX_MESSAGE_CHARS = 600;
/** A decision is a reason and a few numbers. What is larger than this is no decision, but a leak. */
const MAX_ANSWER_CHARS = 1_000_000;

const { url, strategyName, config } = workerData as Source;

// Unhandled rejections in the strategy are logged, not fatal.
process.on('unhandledRejection', (reason) => {
  process.stderr.write(`${strategyName}: unhandled rejection: ${messageOf(reason)}\n`);
});

// Not awaited at the top: of a module that never answers the host is told by this thread's end.
void introduced().then(({ introduction, strategy }) => {
  say(introduction);
  if (strategy) parentPort?.on('message', (question: Question) => void answered(strategy, question).then(sayReply));
});

async function introduced(): Promise<{ readonly introduction: Introduction; readonly strategy?: Made }> {
  let module: Readonly<Record<string, unknown>>;
  try {
    module = await import(url);
  } catch (error) {
    return { introduction: { kind: 'not_loaded', message: placeIn(error) + messageOf(error) } };
  }
  const exported = module[strategyName];
  if (exported === undefined) return { introduction: { kind: 'not_exported', exports: Object.keys(module) } };
  try {
    const strategy = await instanceOf(exported, config);
    const lacks = lackIn(strategy);
    if (lacks !== null) return { introduction: { kind: 'incomplete', ...lacks } };
    return { introduction: { kind: 'ready', name: (strategy as Made).name }, strategy: strategy as Made };
  } catch (error) {
    return { introduction: { kind: 'not_made', message: messageOf(error) } };
  }
}

async function answered(strategy: Made, { id, about, event }: Question): Promise<Reply> {
  try {
    if (about === 'end') {
      await strategy.onLoopEnd?.(event);
      return { id, kind: 'answer', answer: null };
    }
    const answer: unknown = await strategy.onIterationComplete(event);
    const chars = lengthOf(answer);
    if (chars <= MAX_ANSWER_CHARS) return { id, kind: 'answer', answer };
    return { id, kind: 'no_data', message: `${chars} characters, and at most ${MAX_ANSWER_CHARS} are taken` };
  } catch (error) {
    return { id, kind: 'threw', message: messageOf(error) };
  }
}

function sayReply(reply: Reply): void {
  try {
    say(reply);
  } catch (error) {
    say({ id: reply.id, kind: 'no_data', message: messageOf(error) });
  }
}

function say(message: Introduction | Reply): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, no window
  parentPort?.postMessage(message);
}

/** The length of an answer as JSON; 0 for one that is not JSON, which is refused later for that. */
function lengthOf(answer: unknown): number {
  try {
    return (JSON.stringify(answer) ?? '').length;
  } catch {
    return 0;
  }
}

function messageOf(error: unknown): string {
  const message = error instanceof Error ? `${error.name}: ${error.message}` : inspect(error, { depth: 1 });
  return head(message.toWellFormed(), MAX_MESSAGE_CHARS);
}

/** Where a syntax error is stands in the first line of its stack, if anywhere. */
function placeIn(error: unknown): string {
  if (!(error instanceof SyntaxError)) return '';
  const [, line] = /^\S*:(\d+)\n/.exec(error.stack ?? '') ?? [];
  return line === undefined ? `node --check ${fileURLToPath(url)} shows where: ` : `line ${line}: `;
}
