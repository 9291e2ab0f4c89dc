import { type HeldLease, type LapsedLease, LEASE_TTL_MS } from '../log/lease-store.ts';

/** Tells a lease that its holder renews from one that only ends late, whatever the clocks of the two processes say. */
export class LeaseWatch {
  #seen: HeldLease | null = null;
  #sinceMs = 0;

  /** Whether a lease stayed as it is for as long as a lease lasts. `waitedMs`: since it was looked at before. */
  isStale(held: HeldLease, waitedMs: number): boolean {
    this.#sinceMs = this.#seen !== null && isSameLease(this.#seen, held) ? this.#sinceMs + waitedMs : 0;
    this.#seen = held;
    return this.#sinceMs >= LEASE_TTL_MS;
  }
}

export const isSameLease = (one: LapsedLease, other: LapsedLease): boolean =>
  one.by.token === other.by.token && one.expiresAt === other.expiresAt;
