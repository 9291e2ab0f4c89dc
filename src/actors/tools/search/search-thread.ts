import { once } from 'node:events';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { STUCK_MS } from '../tool.ts';
import { ToolRefusal } from '../confine.ts';
import type { SearchAnswer, SearchRequest } from './request.ts';

/** Compiled or not, it lies beside this file. */
const WORKER = new URL(`./search-worker${extname(new URL(import.meta.url).pathname)}`, import.meta.url);
const MAX_HEAP_MB = 512;
/** Threads that wait for the next search, because starting one takes longer than most searches. */
const MAX_IDLE = 4;

const idle: Worker[] = [];

/** What a search finds. A thread performs it, which is ended when it takes `endAfterMs`, or is no longer wanted. */
export async function search(
  request: SearchRequest,
  signal: AbortSignal,
  endAfterMs = request.limitMs + STUCK_MS,
): Promise<string> {
  signal.throwIfAborted();
  const worker = idle.pop() ?? start();
  worker.ref();
  const answer = await answerOf(worker, request, AbortSignal.any([signal, AbortSignal.timeout(endAfterMs)]));
  if (answer === null) {
    await worker.terminate();
    signal.throwIfAborted();
    const why = `it took more than ${endAfterMs / 1_000} s; use a simpler pattern, or a smaller part of the workspace`;
    throw new ToolRefusal('search_timed_out', why);
  }
  if (answer.kind === 'broken') {
    // The thread may have ended: the next search would never get an answer from it.
    await worker.terminate();
    throw new Error(answer.message);
  }
  release(worker);
  if (answer.kind === 'refused') throw new ToolRefusal(answer.code, answer.message);
  return answer.output;
}

function start(): Worker {
  const worker = new Worker(WORKER, { resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB } });
  // A thread that ends while it is idle is forgotten.
  worker.on('error', () => {}).once('exit', () => forget(worker));
  return worker;
}

function release(worker: Worker): void {
  worker.unref();
  if (idle.length < MAX_IDLE) idle.push(worker);
  else void worker.terminate();
}

function forget(worker: Worker): void {
  const at = idle.indexOf(worker);
  if (at !== -1) idle.splice(at, 1);
}

/** Null where it was ended before. */
async function answerOf(worker: Worker, request: SearchRequest, signal: AbortSignal): Promise<SearchAnswer | null> {
  const answered = new AbortController();
  const watching = { signal: AbortSignal.any([signal, answered.signal]) };
  try {
    // Listens before it asks: a thread may answer, or end, at once.
    const first = Promise.race([once(worker, 'message', watching), once(worker, 'exit', watching)]);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, no window
    worker.postMessage(request);
    const [answer] = await first;
    return typeof answer === 'object' ? answer : { kind: 'broken', message: 'the search broke off' };
  } catch (error) {
    if (signal.aborted) return null;
    const said = error instanceof Error ? error.message : String(error);
    return { kind: 'broken', message: `the search broke off: ${said}` };
  } finally {
    answered.abort();
  }
}
