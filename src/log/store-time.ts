/** Where a log takes its time from, in milliseconds. */
export interface StoreTime {
  /** Since 1970, as other processes of the log have it, too. */
  readonly now: () => number;
  /** Since any moment; it never jumps. */
  readonly monotonic: () => number;
}

/** The time of this machine, or one that a caller gives, which has to be one that does not jump. */
export const storeTime = (given: (() => number) | undefined): StoreTime =>
  given === undefined
    ? { now: () => Date.now(), monotonic: () => performance.now() }
    : { now: given, monotonic: given };
