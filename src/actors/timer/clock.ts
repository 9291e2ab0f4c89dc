/** Where time comes from, in milliseconds. */
export interface Clock {
  /** Since 1970, UTC, as people read it. It jumps. */
  readonly now: () => number;
  /** Since any moment, for durations. It never jumps. */
  readonly monotonic: () => number;
  /**
   * Ends once the time from now until that one has passed, or as soon as the signal aborts, whichever is first. Never
   * rejects. `Infinity` is never.
   */
  readonly sleepUntil: (time: number, signal: AbortSignal) => Promise<void>;
}

/** No timer holds 2^31 ms. */
const LONGEST_NAP_MS = 2 ** 31 - 1;
/** Sums of milliseconds with a fraction are wrong by less. */
const ROUNDING_MS = 0.001;

/** The machine's own clock. Sleeping on it does not keep a process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleepUntil: async (time, signal) => {
    const start = performance.now();
    const sleepMs = time - Date.now();
    const leftMs = () => sleepMs - Math.floor(performance.now() - start + ROUNDING_MS);
    for (let left = leftMs(); left > 0 && !signal.aborted; left = leftMs()) {
      await nap(Math.min(left, LONGEST_NAP_MS), signal);
    }
  },
};

function nap(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', wake);
      resolve();
    };
    const timer = setTimeout(wake, milliseconds).unref();
    signal.addEventListener('abort', wake, { once: true });
  });
}
