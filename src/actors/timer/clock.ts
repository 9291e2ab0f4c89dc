/** Where time comes from. Milliseconds since 1970, UTC. */
export interface Clock {
  readonly now: () => number;
  /** Ends at that time or as soon as the signal aborts, whichever is first. Never rejects. `Infinity` is never. */
  readonly sleepUntil: (time: number, signal: AbortSignal) => Promise<void>;
}

/** The clock is looked at again at least this often: a machine may sleep meanwhile, and no timer holds 2^31 ms. */
const LONGEST_NAP_MS = 60_000;

/** The machine's own clock. Sleeping on it does not keep a process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleepUntil: async (time, signal) => {
    for (let left = time - Date.now(); left > 0 && !signal.aborted; left = time - Date.now()) {
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
