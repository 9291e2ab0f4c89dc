import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { LONGEST_TIMER_MS } from './longest-timer.ts';

export type Ending =
  /** `signal` is set when a signal ended it that this process did not send. */
  | { readonly kind: 'exited'; readonly exitCode: number | null; readonly signal: string | null }
  | { readonly kind: 'timed_out' | 'stopped' };

interface Limits {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** The end that a command comes to by itself. */
export const exitOf = (child: ChildProcess): Promise<Ending> =>
  new Promise((resolve) => {
    child.once('exit', (exitCode, signal) => resolve({ kind: 'exited', exitCode, signal }));
  });

/** The end of a command, or what it is to be ended by. */
export async function firstEnding(exit: Promise<Ending>, { timeoutMs, signal }: Limits): Promise<Ending> {
  const decided = new AbortController();
  try {
    return await Promise.race([
      exit,
      delay<Ending>(Math.min(timeoutMs, LONGEST_TIMER_MS), { kind: 'timed_out' }, { signal: decided.signal }),
      once(signal, 'abort', { signal: decided.signal }).then((): Ending => ({ kind: 'stopped' })),
    ]);
  } finally {
    decided.abort();
  }
}
