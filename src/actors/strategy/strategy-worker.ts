import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import { parentPort, workerData } from 'node:worker_threads';
import { head } from '../../text/excerpt.ts';
import { instanceOf, lackIn, type Made } from './made.ts';
import type { Introduction, Question, Reply, Source } from './thread-protocol.ts';

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
