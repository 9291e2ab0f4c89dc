import { firstLease, isCurrent, type LeaseRow } from './lease.ts';
import type { Append, AppendResult } from './event-store.ts';

/** The stored facts that decide on an append, read in the append's own transaction. */
export interface StoredFacts {
  readonly lease: LeaseRow | null;
  /** 0 for a run that was never opened. */
  readonly version: number;
  readonly closed: string | null;
  /** The run that the append's parent effect opened before. */
  readonly openedByEffect: string | null;
}

/** The lease that an append goes by: the stored one, or the first one that it takes itself. */
export const leaseFor = ({ takesLease }: Append, row: LeaseRow | null, now: number): LeaseRow | null =>
  takesLease === undefined ? row : firstLease(row, takesLease, now);

/** Why an append is refused, or null. A writer without the lease learns nothing else. */
export function refusal(request: Append, stored: StoredFacts): AppendResult | null {
  const { lease, version, closed, openedByEffect } = stored;
  if (!isCurrent(lease, request.epoch)) return { kind: 'fenced', epoch: lease?.epoch ?? 0 };
  if (openedByEffect !== null) return { kind: 'duplicate_child', run: openedByEffect };
  if (closed !== null) return { kind: 'closed', ending: closed };
  if (version !== request.expectedVersion) return { kind: 'conflict', version };
  return null;
}
