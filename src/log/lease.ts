import {
  CLOCK_DIFFERENCE_MS,
  FIRST_EPOCH,
  type HeldLease,
  type Holder,
  type LapsedLease,
  type Lease,
  LEASE_TTL_MS,
  type LeaseResult,
  MAX_CLOCK_AHEAD_MS,
  type ReleaseResult,
  type RenewResult,
} from './lease-store.ts';

/** The stored state of a tree's lease. The row stays when the lease is given back, so that epochs only rise. */
export interface LeaseRow {
  readonly epoch: number;
  readonly holder: Holder | null;
  /** Milliseconds of store time. */
  readonly expiresAt: number;
}

/** Where an engine keeps its lease rows, by root. The functions below run inside one transaction of it. */
export interface LeaseRows {
  find(root: string): LeaseRow | null;
  save(root: string, row: LeaseRow): void;
}

export interface Clock {
  readonly now: number;
  readonly isKnownDead: (holder: Holder) => boolean;
  /** Whether this process took or renewed the lease less than its span ago, whatever clocks say. Absent: of none. */
  readonly isFresh?: (holder: Holder) => boolean;
}

/**
 * The living holder of a tree; null when the lease was given back, has expired, ends later than any clock allows, or
 * its holder is known to be dead.
 */
export function livingHolder(row: LeaseRow | null, { now, isKnownDead, isFresh }: Clock): Holder | null {
  if (row === null || row.holder === null || isKnownDead(row.holder)) return null;
  if (isFresh?.(row.holder)) return row.holder;
  if (now >= row.expiresAt) return null;
  return row.expiresAt > now + LEASE_TTL_MS + MAX_CLOCK_AHEAD_MS ? null : row.holder;
}

/** Whether a lease ends later than its holder can have meant, unless the clock there is ahead. */
export const isAhead = (expiresAt: number, now: number): boolean =>
  expiresAt > now + LEASE_TTL_MS + CLOCK_DIFFERENCE_MS;

/** A holder that has never given its lease back, and holds it no more: it is dead, or let it expire. */
export function lapsedHolder(row: LeaseRow | null, clock: Clock): LapsedLease | null {
  if (row === null || row.holder === null || livingHolder(row, clock) !== null) return null;
  return { by: row.holder, expiresAt: textOf(row) };
}

/**
 * Gives a claimant the lease unless a living holder has it, and that is not the lease which was found stale. A new
 * holder raises the epoch; the same token keeps it.
 */
export function acquire(
  rows: LeaseRows,
  root: string,
  claim: { readonly holder: Holder; readonly stale?: HeldLease | undefined },
  clock: Clock,
): LeaseResult {
  const { holder, stale } = claim;
  const row = rows.find(root);
  const by = livingHolder(row, clock);
  const isOwn = by !== null && by.token === holder.token;
  if (row !== null && by !== null && !isOwn && !(by.token === stale?.by.token && textOf(row) === stale.expiresAt)) {
    return { kind: 'held', by, expiresAt: textOf(row) };
  }
  const expiresAt = clock.now + LEASE_TTL_MS;
  const epoch = row === null ? FIRST_EPOCH : row.epoch + 1;
  const taken = row !== null && isOwn ? { ...row, expiresAt } : { epoch, holder, expiresAt };
  rows.save(root, taken);
  return { kind: 'leased', lease: { root, epoch: taken.epoch, holder } };
}

/** The first lease of a tree that no log knows: null where it is known. */
export const firstLease = (row: LeaseRow | null, holder: Holder, now: number): LeaseRow | null =>
  row === null ? { epoch: FIRST_EPOCH, holder, expiresAt: now + LEASE_TTL_MS } : null;

export function renew(rows: LeaseRows, { root, epoch }: Lease, now: number): RenewResult {
  const row = rows.find(root);
  if (!isCurrent(row, epoch)) return lost(row);
  rows.save(root, { ...row, expiresAt: now + LEASE_TTL_MS });
  return { kind: 'renewed' };
}

/** Gives a lease back, unless the inbox holds `waiting` entries for its tree. */
export function release(rows: LeaseRows, { root, epoch }: Lease, waiting: (root: string) => number): ReleaseResult {
  const row = rows.find(root);
  if (!isCurrent(row, epoch)) return lost(row);
  const entries = waiting(root);
  if (entries > 0) return { kind: 'inbox_waiting', entries };
  rows.save(root, { ...row, holder: null });
  return { kind: 'released' };
}

/** Whether a lease is still the newest one. An expired lease is, until another holder takes it. */
export const isCurrent = (row: LeaseRow | null, epoch: number): row is LeaseRow & { readonly holder: Holder } =>
  row !== null && row.holder !== null && row.epoch === epoch;

const textOf = ({ expiresAt }: LeaseRow): string => new Date(expiresAt).toISOString();

const lost = (row: LeaseRow | null) => ({ kind: 'lost', epoch: row?.epoch ?? 0 }) as const;
