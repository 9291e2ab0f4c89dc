import type { Clock } from '../../src/actors/timer/clock.ts';

export interface FakeClock extends Clock {
  /** Moves time on, and wakes the sleepers that are due. */
  readonly advance: (milliseconds: number) => void;
}

/** A clock that stands still until it is advanced. Sleeping until a time that has passed is over at once. */
export function fakeClock(start = '2030-01-01T00:00:00.000Z'): FakeClock {
  let now = Date.parse(start);
  const sleepers = new Set<{ readonly until: number; readonly wake: () => void }>();
  return {
    now: () => now,
    monotonic: () => now,
    sleepUntil: (until, signal) =>
      new Promise((resolve) => {
        if (until <= now || signal.aborted) return resolve();
        const sleeper = { until, wake: resolve };
        sleepers.add(sleeper);
        signal.addEventListener('abort', () => (sleepers.delete(sleeper), resolve()), { once: true });
      }),
    advance: (milliseconds) => {
      now += milliseconds;
      for (const sleeper of sleepers) {
        if (sleeper.until > now) continue;
        sleepers.delete(sleeper);
        sleeper.wake();
      }
    },
  };
}
