import { LONGEST_TIMER_MS } from '../actors/longest-timer.ts';

const PAUSE = Symbol('pause');

/**
 * Passes values on, and null where `pauseMs` is over before the next one: it is asked after each. Null from it: no
 * pause is told.
 */
export async function* withPauses<Value>(
  values: AsyncIterable<Value>,
  pauseMs: () => number | null,
): AsyncGenerator<Value | null> {
  const reading = values[Symbol.asyncIterator]();
  try {
    let next = reading.next();
    for (;;) {
      const read = await earlier(next, pauseMs());
      if (read === PAUSE) {
        yield null;
        continue;
      }
      if (read.done === true) return;
      yield read.value;
      next = reading.next();
    }
  } finally {
    await reading.return?.();
  }
}

/** The first of a promise and the end of a time. */
async function earlier<Value>(next: Promise<Value>, ms: number | null): Promise<Value | typeof PAUSE> {
  if (ms === null) return next;
  const { promise, resolve } = Promise.withResolvers<typeof PAUSE>();
  const timer = setTimeout(() => resolve(PAUSE), Math.min(ms, LONGEST_TIMER_MS));
  try {
    return await Promise.race([next, promise]);
  } finally {
    clearTimeout(timer);
  }
}
