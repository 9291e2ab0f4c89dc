import { type Holder, LEASE_TTL_MS, type LeaseResult } from './log.ts';

/** What a store keeps of a tree's lease. The row stays when the lease is given back, so that epochs only rise. */
export interface LeaseRow {
  readonly epoch: number;
  readonly holder: Holder | null;
  /** Milliseconds of store time. */
  readonly expiresAt: number;
}

export type HeldLease = LeaseRow & { readonly holder: Holder };

export interface Clock {
  readonly now: number;
  readonly isKnownDead: (holder: Holder) => boolean;
}

/** Who holds a tree: nobody, when the lease was given back, has expired, or its holder is known to be dead. */
export function livingHolder(row: LeaseRow | null, { now, isKnownDead }: Clock): Holder | null {
  if (row === null || row.holder === null || now >= row.expiresAt || isKnownDead(row.holder)) return null;
  return row.holder;
}

export type Claim =
  | { readonly kind: 'taken'; readonly row: LeaseRow }
  | Extract<LeaseResult, { readonly kind: 'held' }>;

/** Whether a claimant may have the lease. Every taking raises the epoch; asking again with the same token does not. */
export function claim(row: LeaseRow | null, claimant: Holder, clock: Clock): Claim {
  const by = livingHolder(row, clock);
  const expiresAt = clock.now + LEASE_TTL_MS;
  if (row === null || by === null) {
    return { kind: 'taken', row: { epoch: (row?.epoch ?? 0) + 1, holder: claimant, expiresAt } };
  }
  if (by.token === claimant.token) return { kind: 'taken', row: { ...row, expiresAt } };
  return { kind: 'held', by, expiresAt: new Date(row.expiresAt).toISOString() };
}

/** Whether a lease is still the newest one. One that expired and that nobody took still is. */
export const isCurrent = (row: LeaseRow | null, epoch: number): row is HeldLease =>
  row !== null && row.holder !== null && row.epoch === epoch;

export const renewed = (row: LeaseRow, now: number): LeaseRow => ({ ...row, expiresAt: now + LEASE_TTL_MS });

export const lost = (row: LeaseRow | null) => ({ kind: 'lost', epoch: row?.epoch ?? 0 }) as const;
