import { thisProcess } from '../../log/holder.ts';
import type { Lease } from '../../log/lease-store.ts';
import { releaseTree, renewLease, type TreeParts as WithLease } from '../../runtime/tree-lease.ts';

type TreeParts = Omit<WithLease, 'lease'>;

interface HeldTree {
  readonly lease: Lease;
  readonly endRenewal: () => void;
}

/**
 * The trees that this service holds in the log, for the attempts of their invocations here. Restate lets one attempt
 * work at a time; the lease keeps every other process of the log from writing beside it.
 */
export class HeldTrees {
  readonly #parts: TreeParts;
  readonly #held = new Map<string, HeldTree>();

  constructor(parts: TreeParts) {
    this.#parts = parts;
  }

  /** Takes the lease of a tree, unless it is held here. Throws where another process holds it: Restate tries again. */
  async epochOf(root: string): Promise<number> {
    const known = this.#held.get(root);
    if (known) return known.lease.epoch;
    const taken = await this.#parts.log.acquire(root, thisProcess());
    if (taken.kind === 'held')
      throw new Error(`process ${taken.by.pid} on ${taken.by.host} holds run ${root} until ${taken.expiresAt}`);
    const { lease } = taken;
    const endRenewal = renewLease({ log: this.#parts.log, lease }, () => this.forget(root));
    this.#held.set(root, { lease, endRenewal });
    return lease.epoch;
  }

  /** Its lease has passed on. */
  forget(root: string): void {
    this.#held.get(root)?.endRenewal();
    this.#held.delete(root);
  }

  /** Gives a tree back, once every command in its inbox is settled. */
  async release(root: string): Promise<void> {
    const held = this.#held.get(root);
    if (held) await releaseTree({ ...this.#parts, lease: held.lease });
    this.forget(root);
  }
}
