import type { CopyStore } from './copy-store.ts';
import type { EventStore } from './event-store.ts';
import type { InboxStore } from './inbox-store.ts';
import type { LeaseStore } from './lease-store.ts';
import type { OutboxStore } from './outbox-store.ts';
import type { QueueStore } from './queue-store.ts';
import type { Json } from './envelope.ts';

/** Something of a store, beside the events of its runs, that no program of ours has left so. */
export interface StoreFault {
  /** A table, with the row where it is one, or a file. */
  readonly place: string;
  readonly reason: string;
  /** What to do, as a sentence. */
  readonly remedy: string;
}

/** The part of a log that tells what is wrong with it beside its events: runs are verified one by one. */
export interface StoreAudit {
  /** Notes of heads that cannot be read, as they were on opening, in sentences: nothing was compared with them. */
  readonly warnings: readonly string[];
  /** Reads the whole store, and changes nothing. Throws a `LogError` where it can no longer be read. */
  audit(): Promise<readonly StoreFault[]>;
}

/** Of a log that is in no file. */
export const SOUND: StoreAudit = { warnings: [], audit: async () => [] };

const SAVES = 'save the runs with `loopfold check --repair FILE`';
/** What to do where runs lost something. */
export const RESTORE = `Restore the log from a copy, or ${SAVES}.`;
/** What to do where only something is damaged that a repair leaves out. */
export const LEAVE_OUT = `Restore the log from a copy, or ${SAVES}: it leaves this row out.`;

/** What to do where a repair can save nothing: it would be no help to name the repair again. */
export const SALVAGE =
  'Restore the log from a copy. Without one, copy the file, and try `.recover` of the sqlite3 shell on the copy: it ' +
  'reads pages that no table leads to any more.';

/** No store is listed fault by fault for longer than this. */
export const MAX_FAULTS = 100;

/** The part of a log that caches folded states. Any of them may be lost at any time. */
export interface SnapshotStore {
  saveSnapshot(snapshot: StoredSnapshot): Promise<void>;
  /** The newest cached state at or below a version whose hash still equals the log's at that version. */
  latestSnapshot(run: string, atMost?: number): Promise<StoredSnapshot | null>;
}

export interface StoredSnapshot {
  readonly run: string;
  readonly version: number;
  /** Hash of the envelope at that version: a snapshot of another history is unusable. */
  readonly hash: string;
  /** `id@version` of the machine that folded it. */
  readonly machine: string;
  readonly state: Json;
}

/** A state is cached after this many events. */
export const SNAPSHOT_EVERY_EVENTS = 200;

/**
 * A store that cannot be trusted or used. Nothing was written. `kind` decides what a caller does next: after `lost`,
 * the file that was open is gone, and with it what was recorded there.
 */
export class LogError extends Error {
  override readonly name = 'LogError';
  readonly kind: 'damaged' | 'foreign' | 'diverged' | 'unavailable' | 'lost';
  /** The store, as the user named it. */
  readonly store: string;
  /** What was found, without the store. */
  readonly detail: string;
  /** What to do, as a sentence. */
  readonly remedy: string;

  constructor(kind: LogError['kind'], store: string, detail: string, remedy: string, cause?: unknown) {
    super(`${store}: ${detail}. ${remedy}`, { cause });
    this.kind = kind;
    this.store = store;
    this.detail = detail;
    this.remedy = remedy;
  }
}

/**
 * An append-only log of runs: the stores together, kept in one place. Every engine keeps the same promises;
 * `logContract` in `loopfold/testing` is the list. A function takes the one store that it needs.
 *
 * Outcomes a caller must expect are values. A damaged, foreign or diverged store throws a `LogError`.
 */
export interface Log
  extends EventStore, LeaseStore, InboxStore, OutboxStore, QueueStore, SnapshotStore, CopyStore, StoreAudit {
  /** Where it is kept: the absolute path of a file, `memory:`, or another address. */
  readonly store: string;

  close(): Promise<void>;
}
