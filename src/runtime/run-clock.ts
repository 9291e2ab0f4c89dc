/** Two readings of time, in milliseconds. */
export interface Readings {
  /** Since 1970, as the machine tells it. It jumps: when it is set, and after the machine slept. */
  readonly now: () => number;
  /** Since any moment. It never jumps and never goes back. */
  readonly monotonic: () => number;
}

/** Of this machine. Read by name each time, so that a stand-in for either is used. */
export const machineClock: Readings = { now: () => Date.now(), monotonic: () => performance.now() };

/** Steps of the machine's clock below this are how clocks are kept right; longer ones are reported. */
export const JUMP_MS = 60_000;

/**
 * The clock of a tree of runs in this process. It starts at the machine's time, and from there on counts what the
 * monotonic reading counts: a difference of two recorded times is time that passed, whatever the machine's clock did.
 *
 * @example
 * const clock = new RunClock(machineClock);
 * const at = clock.now(Date.parse(newestRecorded));
 */
export class RunClock {
  readonly #readings: Readings;
  /** The time at which it started, and what the monotonic reading was then. */
  #start: number;
  readonly #zero: number;
  /** How far the machine's clock was ahead when it was compared last. */
  #ahead = 0;

  constructor(readings: Readings) {
    this.#readings = readings;
    this.#start = readings.now();
    this.#zero = readings.monotonic();
  }

  /** Milliseconds since 1970. `newest`: the newest recorded time, before which the clock does not read. */
  now(newest = -Infinity): number {
    const time = this.#start + Math.floor(this.#readings.monotonic() - this.#zero);
    const lag = Math.max(0, newest - time);
    this.#start += lag;
    this.#ahead -= lag;
    return time + lag;
  }

  /** How far the machine's clock jumped since this was called last: ahead, or back if negative. 0: it did not. */
  jumped(): number {
    const ahead = this.#readings.now() - this.now();
    const by = ahead - this.#ahead;
    this.#ahead = ahead;
    return Math.abs(by) < JUMP_MS ? 0 : by;
  }
}

/** A time (RFC 3339, UTC) to record, which is not before the newest recorded one. */
export const notBefore = (now: number, newest: string): string =>
  new Date(Math.max(now, Date.parse(newest))).toISOString();
