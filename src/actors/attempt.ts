import { setTimeout as delay } from 'node:timers/promises';
import { LONGEST_TIMER_MS } from './longest-timer.ts';

type Settled<Value> =
  | { readonly kind: 'returned'; readonly value: Value }
  | { readonly kind: 'threw'; readonly error: unknown }
  /** Told to stop, it said nothing within the grace: it may still be running. */
  | { readonly kind: 'silent' };

export interface Attempt<Value> {
  /** Why it was told to stop before it had settled, if it was. */
  readonly cut: 'timed_out' | 'stopped' | null;
  readonly settled: Settled<Value>;
}

interface AttemptLimits {
  readonly timeoutMs: number;
  readonly graceMs: number;
  /** The caller's signal to stop. Must not be aborted yet. */
  readonly signal: AbortSignal;
}

/** Lets foreign code work, tells it to stop when its time is up or the signal says so, and never waits for ever. */
export async function attempt<Value>(
  work: (signal: AbortSignal) => Promise<Value>,
  { timeoutMs, graceMs, signal }: AttemptLimits,
): Promise<Attempt<Value>> {
  const cutter = new AbortController();
  // Watching first: the work may bring the signal about before it first waits.
  const watch = watchFor(timeoutMs, signal);
  const settled = settle(() => work(cutter.signal));
  const cut = await Promise.race([settled.then(() => null), watch.cut]);
  watch.end();
  if (cut === null) return { cut, settled: await settled };
  const late = new DOMException(`no result within ${timeoutMs} ms`, 'TimeoutError');
  cutter.abort(cut === 'stopped' ? signal.reason : late);
  return { cut, settled: await within(graceMs, settled) };
}

/** Whichever comes first, the end of the time or the wish to stop. By hand, because this is done for every call. */
function watchFor(timeoutMs: number, signal: AbortSignal) {
  const { promise: cut, resolve } = Promise.withResolvers<'timed_out' | 'stopped'>();
  const stop = () => resolve('stopped');
  const timer = setTimeout(() => resolve('timed_out'), Math.min(timeoutMs, LONGEST_TIMER_MS));
  signal.addEventListener('abort', stop);
  const end = () => {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  };
  return { cut, end };
}

async function within<Value>(graceMs: number, settled: Promise<Settled<Value>>): Promise<Settled<Value>> {
  const over = new AbortController();
  try {
    return await Promise.race([settled, delay(graceMs, { kind: 'silent' } as const, { signal: over.signal })]);
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
