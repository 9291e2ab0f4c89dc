import { type Holder, type Lease, LEASE_TTL_MS } from './lease-store.ts';

/**
 * The leases that this process took or renewed through an open log. How long ago that was goes by a clock that does not
 * jump: where the machine's clock is set, no lease of a run that is at work here expires before it is renewed.
 */
export class OwnLeases {
  readonly #monotonic: () => number;
  /** By tree and token, oldest first. */
  readonly #renewedAt = new Map<string, number>();

  /** `monotonic`: milliseconds since any moment. */
  constructor(monotonic: () => number) {
    this.#monotonic = monotonic;
  }

  renewed({ root, holder }: Pick<Lease, 'root' | 'holder'>): void {
    const key = keyOf(root, holder);
    this.#renewedAt.delete(key);
    this.#renewedAt.set(key, this.#monotonic());
    for (const [old, at] of this.#renewedAt) {
      if (this.#lasts(at)) break;
      this.#renewedAt.delete(old);
    }
  }

  isFresh(root: string, holder: Holder): boolean {
    const at = this.#renewedAt.get(keyOf(root, holder));
    return at !== undefined && this.#lasts(at);
  }

  #lasts(at: number): boolean {
    const age = this.#monotonic() - at;
    // Below zero: a caller gave the log a clock that goes back, which measures nothing.
    return age >= 0 && age < LEASE_TTL_MS;
  }
}

const keyOf = (root: string, { token }: Holder): string => `${root}\0${token}`;
