import type { Envelope, Json, NewEvent } from './envelope.ts';

/**
 * The book: an append-only log of runs. Every engine keeps the same promises; `test/log/log.contract.ts` is the list.
 *
 * Outcomes a caller must expect are values. A damaged, foreign or diverged store throws a tagged error (`errors.ts`).
 */
export interface Log {
  /** Where it is kept, as its user named it: the path of a file, or `memory:`. */
  readonly store: string;

  append(request: Append): Promise<AppendResult>;

  /** A run's envelopes in order, a fork's shared prefix first. An unknown run reads as empty. */
  read(run: string, range?: Range): AsyncIterable<Envelope>;

  /** Like `read`, then everything appended later, by any process, until the run is closed or the signal aborts. */
  follow(run: string, options: { readonly from?: number; readonly signal: AbortSignal }): AsyncIterable<Envelope>;

  /** Opens `to` as a new run that shares the versions 1 to `at` of `from` by reference. */
  fork(request: { readonly from: string; readonly at: number; readonly to: string }): Promise<ForkResult>;

  run(run: string): Promise<RunRecord | null>;
  /** All runs, oldest first. */
  runs(): Promise<readonly RunRecord[]>;
  /** The child run that an effect (`RUN/version/n`) opened, if it got as far as its first event. */
  findByParentEffect(effect: string): Promise<RunRecord | null>;

  /** Takes the right to write a tree of runs. A holder that is dead or let its lease expire is succeeded. */
  acquire(root: string, holder: Holder): Promise<LeaseResult>;
  renew(lease: Lease): Promise<RenewResult>;
  /** Gives the right back. Refused while the inbox still holds entries for the tree: drain it first. */
  release(lease: Lease): Promise<ReleaseResult>;
  /** Who holds the tree now, if anybody alive does. */
  holder(root: string): Promise<Holder | null>;

  /** Leaves a command for whoever holds the run's tree. */
  post(run: string, command: InboxCommand): Promise<InboxEntry>;
  /** What waits for a tree, oldest first. */
  inbox(root: string): Promise<readonly InboxEntry[]>;
  reject(entry: number, reason: string): Promise<void>;
  entry(entry: number): Promise<InboxEntry | null>;

  /** Caches a folded state. It may be lost at any time. */
  saveSnapshot(snapshot: StoredSnapshot): Promise<void>;
  /** The newest cached state at or below a version whose hash still equals the log's at that version. */
  latestSnapshot(run: string, atMost?: number): Promise<StoredSnapshot | null>;

  /** Recomputes a run's whole hash chain. */
  verify(run: string): Promise<VerifyResult>;

  close(): Promise<void>;
}

export interface Append {
  readonly run: string;
  readonly events: readonly NewEvent[];
  /** The version the writer believes the run to be at; 0 opens a run. */
  readonly expectedVersion: number;
  /** The epoch of the lease on the root of the run's tree. */
  readonly epoch: number;
  /** Inbox entries that these events deliver, settled in the same transaction. */
  readonly delivers?: readonly number[];
  /** The effect (`RUN/version/n`) of another run that opens this one. Only with `expectedVersion: 0`. */
  readonly parentEffect?: string;
  /** The ending these events bring. Nothing is accepted after it. */
  readonly closes?: string;
}

export type AppendResult =
  | { readonly kind: 'appended'; readonly envelopes: readonly Envelope[] }
  /** Somebody else appended first; `version` is where the run really is. */
  | { readonly kind: 'conflict'; readonly version: number }
  /** The lease is gone or was taken over; `epoch` is the newest one. */
  | { readonly kind: 'fenced'; readonly epoch: number }
  | { readonly kind: 'closed'; readonly ending: string }
  /** Something in `events[index].payload` is not JSON. */
  | { readonly kind: 'not_json'; readonly index: number; readonly path: string; readonly found: string }
  | { readonly kind: 'too_large'; readonly index: number; readonly bytes: number; readonly limitBytes: number }
  /** The effect has opened a run before. */
  | { readonly kind: 'duplicate_child'; readonly run: string };

export interface Range {
  readonly from?: number;
  readonly to?: number;
}

export type ForkResult =
  | { readonly kind: 'forked'; readonly run: RunRecord }
  | { readonly kind: 'unknown_run' }
  | { readonly kind: 'no_such_version'; readonly head: number }
  | { readonly kind: 'exists' };

export interface RunRecord {
  readonly run: string;
  /** The run at the top of the tree: itself, unless an effect of another run opened it. */
  readonly root: string;
  readonly parentEffect: string | null;
  readonly forkedFrom: { readonly run: string; readonly version: number } | null;
  readonly version: number;
  readonly hash: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** The ending it was closed with. */
  readonly closed: string | null;
}

/** A process that writes. `processStart` tells a reused pid from the one that took the lease. */
export interface Holder {
  /** The machine's name, and on Linux the pid namespace: where `pid` means a process. */
  readonly host: string;
  readonly pid: number;
  readonly processStart: string;
  /** One process may hold several leases at once: this tells them apart. */
  readonly token: string;
}

export interface Lease {
  readonly root: string;
  readonly epoch: number;
  readonly holder: Holder;
}

export type LeaseResult =
  | { readonly kind: 'leased'; readonly lease: Lease }
  | { readonly kind: 'held'; readonly by: Holder; readonly expiresAt: string };
export type RenewResult = { readonly kind: 'renewed' } | { readonly kind: 'lost'; readonly epoch: number };
export type ReleaseResult =
  | { readonly kind: 'released' }
  | { readonly kind: 'inbox_waiting'; readonly entries: number }
  | { readonly kind: 'lost'; readonly epoch: number };

/** An event somebody without the lease asks for. */
export interface InboxCommand {
  readonly type: string;
  readonly payload: Json;
}

export interface InboxEntry extends InboxCommand {
  readonly id: number;
  readonly run: string;
  readonly at: string;
  readonly status:
    | { readonly kind: 'waiting' }
    | { readonly kind: 'delivered'; readonly version: number }
    | { readonly kind: 'rejected'; readonly reason: string };
}

export interface StoredSnapshot {
  readonly run: string;
  readonly version: number;
  /** Hash of the envelope at that version: a snapshot of another history is worth nothing. */
  readonly hash: string;
  /** `id@version` of the machine that folded it. */
  readonly machine: string;
  readonly state: Json;
}

export type VerifyResult =
  | { readonly kind: 'intact'; readonly version: number; readonly hash: string }
  /** `version` is the first envelope that does not follow from the one before it. */
  | { readonly kind: 'broken'; readonly version: number; readonly reason: string }
  | { readonly kind: 'unknown_run' };

export const LEASE_TTL_MS = 15_000;
export const LEASE_RENEW_MS = 5_000;
/** How often a holder looks for commands from other processes, at most. */
export const INBOX_POLL_MS = 250;
/** Payloads above this are kept once, by content, beside the events. */
export const BLOB_THRESHOLD_BYTES = 64 * 1024;
export const MAX_EVENT_BYTES = 8 * 1024 * 1024;
/** A state is cached after this many events. */
export const SNAPSHOT_EVERY_EVENTS = 200;
