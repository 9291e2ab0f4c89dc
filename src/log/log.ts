import type { CopyStore } from './copy-store.ts';
import type { EventStore } from './event-store.ts';
import type { InboxStore } from './inbox-store.ts';
import type { LeaseStore } from './lease-store.ts';
import type { OutboxStore } from './outbox-store.ts';
import type { QueueStore } from './queue-store.ts';
import type { SnapshotStore } from './snapshot-store.ts';
import type { StoreAudit } from './store-audit.ts';

/**
 * An append-only log of runs: the stores together, kept in one place. Every engine keeps the same promises;
 * `logContract` in `loopfold/testing` is the list. A function takes the one store that it needs.
 *
 * Outcomes a caller must expect are values. A damaged, foreign or diverged store throws a tagged error (`errors.ts`).
 */
export interface Log
  extends EventStore, LeaseStore, InboxStore, OutboxStore, QueueStore, SnapshotStore, CopyStore, StoreAudit {
  /** Where it is kept: the absolute path of a file, `memory:`, or another address. */
  readonly store: string;

  close(): Promise<void>;
}
