import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Asked, Finding } from './trial.ts';

/** Of processor time. */
export const MAX_MUTANT_MS = 2_000;
const LOOK_EVERY_MS = 100;

export interface Verdict extends Asked {
  readonly finding: Finding | 'cut off' | null;
  readonly ms: number;
}

const TRIAL = new URL('trial.worker.ts', import.meta.url);

/** Has mutants looked at, one in each thread at a time. One that takes longer than two seconds is cut off. */
export async function tried(all: readonly Asked[], threads: number, trial = TRIAL): Promise<Verdict[]> {
  const waiting = [...all];
  const verdicts: Verdict[] = [];
  const work = async (): Promise<void> => {
    let thread = await startedThread(trial);
    for (let asked = waiting.shift(); asked; asked = waiting.shift()) {
      const verdict = await triedIn(thread, asked);
      verdicts.push(verdict);
      if (verdict.finding !== 'cut off') continue;
      await thread.terminate();
      thread = await startedThread(trial);
    }
    await thread.terminate();
  };
  await Promise.all(Array.from({ length: threads }, work));
  return verdicts;
}

async function startedThread(trial: URL): Promise<Worker> {
  const thread = new Worker(trial);
  await once(thread, 'message');
  return thread;
}

async function triedIn(thread: Worker, asked: Asked): Promise<Verdict> {
  const before = await cpuMsOf(thread);
  const answer = once(thread, 'message') as Promise<[Finding | null]>;
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window.
  thread.postMessage(asked);
  for (;;) {
    const answered = await Promise.race([answer, setTimeout(LOOK_EVERY_MS, null, { ref: false })]);
    const ms = (await cpuMsOf(thread)) - before;
    if (ms > MAX_MUTANT_MS) return { ...asked, finding: 'cut off', ms };
    if (answered) return { ...asked, finding: answered[0], ms };
  }
}

/** What the thread itself has used: other work on the machine is not held against a mutant. */
async function cpuMsOf(thread: Worker): Promise<number> {
  const { user, system } = await thread.cpuUsage();
  return (user + system) / 1000;
}
