import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Asked, Finding } from './trial.ts';

export const MAX_MUTANT_MS = 2_000;

export interface Verdict extends Asked {
  readonly finding: Finding | 'cut off' | null;
  readonly ms: number;
}

/** Has mutants looked at, one in each thread at a time. One that takes longer than two seconds is cut off. */
export async function tried(all: readonly Asked[], threads: number): Promise<Verdict[]> {
  const waiting = [...all];
  const verdicts: Verdict[] = [];
  const work = async (): Promise<void> => {
    let thread = await startedThread();
    for (let asked = waiting.shift(); asked; asked = waiting.shift()) {
      const verdict = await triedIn(thread, asked);
      verdicts.push(verdict);
      if (verdict.finding !== 'cut off') continue;
      await thread.terminate();
      thread = await startedThread();
    }
    await thread.terminate();
  };
  await Promise.all(Array.from({ length: threads }, work));
  return verdicts;
}

async function startedThread(): Promise<Worker> {
  const thread = new Worker(new URL('trial.worker.ts', import.meta.url));
  await once(thread, 'message');
  return thread;
}

async function triedIn(thread: Worker, asked: Asked): Promise<Verdict> {
  const from = performance.now();
  const limit = AbortSignal.timeout(MAX_MUTANT_MS);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window.
  thread.postMessage(asked);
  try {
    const [finding] = (await once(thread, 'message', { signal: limit })) as [Finding | null];
    return { ...asked, finding, ms: performance.now() - from };
  } catch (error) {
    if (!limit.aborted) throw error;
    return { ...asked, finding: 'cut off', ms: performance.now() - from };
  }
}
