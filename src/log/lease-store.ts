/** The part of a log that says which process may write a tree of runs. */
export interface LeaseStore {
  /**
   * Takes the right to write a tree of runs. A holder that is dead or let its lease expire is succeeded. `stale`: so is
   * the one of this answer, unless it has renewed its lease since.
   */
  acquire(root: string, holder: Holder, stale?: HeldLease): Promise<LeaseResult>;
  renew(lease: Lease): Promise<RenewResult>;
  /** Gives the right back. Refused while the inbox still holds entries for the tree: drain it first. */
  release(lease: Lease): Promise<ReleaseResult>;
  /** The living process that holds the tree, or null. */
  holder(root: string): Promise<Holder | null>;
  /** The process that held the tree last and never gave it back, if none holds it now: it may still be at work. */
  lapsed(root: string): Promise<LapsedLease | null>;
}

/** A process that writes. `processStart` tells a reused pid from the process that took the lease. */
export interface Holder {
  /** The machine's name, and on Linux the pid namespace: where `pid` names a process. */
  readonly host: string;
  readonly pid: number;
  readonly processStart: string;
  /** One process may hold several leases at once: this tells them apart. */
  readonly token: string;
}

/** Tells whether a parsed text names a process. */
export function isHolder(value: unknown): value is Holder {
  const { host, pid, processStart, token } = Object(value) as { readonly [member in keyof Holder]: unknown };
  return [host, processStart, token].every((member) => typeof member === 'string') && Number.isSafeInteger(pid);
}

/** The name of a holder's machine. The container namespace that a lease stores with it is left out. */
export const hostName = ({ host }: Pick<Holder, 'host'>): string => host.replace(/ pid:\[\d+\].*$/, '');

export interface Lease {
  readonly root: string;
  readonly epoch: number;
  readonly holder: Holder;
}

export interface LapsedLease {
  readonly by: Holder;
  /** RFC 3339. */
  readonly expiresAt: string;
}

export type HeldLease = LapsedLease & { readonly kind: 'held' };

export type LeaseResult = { readonly kind: 'leased'; readonly lease: Lease } | HeldLease;
export type RenewResult = { readonly kind: 'renewed' } | { readonly kind: 'lost'; readonly epoch: number };
export type ReleaseResult =
  | { readonly kind: 'released' }
  | { readonly kind: 'inbox_waiting'; readonly entries: number }
  | { readonly kind: 'lost'; readonly epoch: number };

/** Of the first lease that is taken on a tree. */
export const FIRST_EPOCH = 1;
export const LEASE_TTL_MS = 15_000;
/** How far the clocks of two hosts with one log may be apart without a word. */
export const CLOCK_DIFFERENCE_MS = 60_000;
/** How far the clock of a holder may be ahead. A lease that ends even later holds nothing. */
export const MAX_CLOCK_AHEAD_MS = 86_400_000;
export const LEASE_RENEW_MS = 5_000;
