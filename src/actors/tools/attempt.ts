import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { LONGEST_TIMER_MS } from '../longest-timer.ts';

export type Settled<Value> =
  | { readonly kind: 'returned'; readonly value: Value }
  | { readonly kind: 'threw'; readonly error: unknown }
  /** Told to stop, it said nothing within the grace: it may still be running. */
  | { readonly kind: 'silent' };

export interface Attempt<Value> {
  /** Why it was told to stop before it had settled, if it was. */
  readonly cut: 'timed_out' | 'stopped' | null;
  readonly settled: Settled<Value>;
}

export interface AttemptLimits {
  readonly timeoutMs: number;
  readonly graceMs: number;
  /** Somebody else's wish to stop it. Not aborted yet. */
  readonly signal: AbortSignal;
}

/** Lets foreign code work, tells it to stop when its time is up or the signal says so, and never waits for it for ever. */
export async function attempt<Value>(
  work: (signal: AbortSignal) => Promise<Value>,
  { timeoutMs, graceMs, signal }: AttemptLimits,
): Promise<Attempt<Value>> {
  const cutter = new AbortController();
  const over = new AbortController();
  const within = { signal: over.signal };
  // Listening first: the work may bring the signal about before it first waits.
  const cuts = [
    once(signal, 'abort', within).then(() => 'stopped' as const),
    delay(Math.min(timeoutMs, LONGEST_TIMER_MS), 'timed_out' as const, within),
  ];
  const settled = settle(() => work(cutter.signal));
  try {
    const cut = await Promise.race([settled.then(() => null), ...cuts]);
    if (cut === null) return { cut, settled: await settled };
    cutter.abort(cut === 'stopped' ? signal.reason : new DOMException(`no result within ${timeoutMs} ms`, 'TimeoutError'));
    const silent = delay(graceMs, { kind: 'silent' } as const, within);
    return { cut, settled: await Promise.race([settled, silent]) };
  } finally {
    over.abort();
  }
}

async function settle<Value>(work: () => Promise<Value>): Promise<Settled<Value>> {
  try {
    return { kind: 'returned', value: await work() };
  } catch (error) {
    return { kind: 'threw', error };
  }
}
