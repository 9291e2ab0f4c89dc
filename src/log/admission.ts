import { isCurrent, type LeaseRow } from './lease.ts';
import type { Append, AppendResult } from './log.ts';

/** What a store knows when an append arrives, read in the append's own transaction. */
export interface Standing {
  readonly lease: LeaseRow | null;
  /** 0 for a run nobody opened. */
  readonly version: number;
  readonly closed: string | null;
  /** The run that the append's parent effect opened before. */
  readonly openedByEffect: string | null;
}

/** Why an append may not happen, or null. A writer without the lease learns nothing else. */
export function refusal(request: Append, standing: Standing): AppendResult | null {
  const { lease, version, closed, openedByEffect } = standing;
  if (!isCurrent(lease, request.epoch)) return { kind: 'fenced', epoch: lease?.epoch ?? 0 };
  if (openedByEffect !== null) return { kind: 'duplicate_child', run: openedByEffect };
  if (closed !== null) return { kind: 'closed', ending: closed };
  if (version !== request.expectedVersion) return { kind: 'conflict', version };
  return null;
}
