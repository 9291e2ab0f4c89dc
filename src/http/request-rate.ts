/** Requests of one person at once, and how many more each second allows. */
const BURST = 200;
const A_SECOND = 50;
/** The same for requests without a key. */
const STRANGER_BURST = 30;
const STRANGERS_A_SECOND = 1;

interface Bucket {
  left: number;
  at: number;
}

/** Counts requests, so that no client takes the whole server. */
export class RequestRate {
  readonly #known: Bucket = { left: BURST, at: 0 };
  readonly #strangers: Bucket = { left: STRANGER_BURST, at: 0 };

  /** Whether a request is within the rate. `now`: milliseconds of a clock that never goes back. */
  allows(isKnown: boolean, now: number): boolean {
    return isKnown
      ? took(this.#known, BURST, A_SECOND, now)
      : took(this.#strangers, STRANGER_BURST, STRANGERS_A_SECOND, now);
  }
}

function took(bucket: Bucket, most: number, aSecond: number, now: number): boolean {
  bucket.left = Math.min(most, bucket.left + ((now - bucket.at) / 1_000) * aSecond);
  bucket.at = now;
  if (bucket.left < 1) return false;
  bucket.left -= 1;
  return true;
}
