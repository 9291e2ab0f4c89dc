import type { Envelope, NewEvent } from './envelope.ts';
import type { Holder } from './lease-store.ts';
import type { NewReport } from './outbox-store.ts';

/** The part of a log that keeps runs and their events: append-only, each run under one hash chain. */
export interface EventStore {
  append(request: Append): Promise<AppendResult>;

  /** A run's envelopes in order, a fork's shared prefix first. An unknown run reads as empty. */
  read(run: string, range?: Range): AsyncIterable<Envelope>;

  /** Like `read`, by pages, for those that fold runs. Looks at no hash. */
  pages(run: string, range?: Omit<Range, 'salts'>): AsyncIterable<readonly BareEnvelope[]>;

  /** Like `read`, then everything appended later, by any process, until the run is closed or the signal aborts. */
  follow(run: string, options: Following): AsyncIterable<Envelope>;

  /** Opens `to` as a new run that shares the versions 1 to `at` of `from` by reference. */
  fork(request: { readonly from: string; readonly at: number; readonly to: string }): Promise<ForkResult>;

  /** Throws a `LogError` `damaged` where the run is listed in another tree than its parents are. */
  run(run: string): Promise<RunRecord | null>;
  /** All runs, oldest first. */
  runs(): Promise<readonly RunRecord[]>;
  /** The run at the top of a tree and all below it, oldest first. Empty where it is not at the top of one. */
  tree(root: string): Promise<readonly RunRecord[]>;
  /**
   * The newest trees, as the runs at their tops. `before`: the newest that are older than this one; empty
   * where the log does not have it. It looks at no others.
   */
  newest(most: number, before?: string): Promise<NewestRuns>;
  /**
   * The roots of the trees that have recorded something since a position, and the newest position. Null: only that.
   */
  changes(since: number | null): Promise<Changes>;
  /** The child run that an effect (`RUN/version/n`) opened, if it got as far as its first event. */
  findByParentEffect(effect: string): Promise<RunRecord | null>;
  /** The runs that effects of a run have opened, oldest first, whichever tree they are listed in. */
  openedFrom(run: string): Promise<readonly RunRecord[]>;

  /** Recomputes a run's whole hash chain, and finds out whether the run is listed where its events say. */
  verify(run: string): Promise<VerifyResult>;
  /** Reads a run and verifies it at once: pages up to the first event that does not follow, and last what was found. */
  readVerified(run: string): AsyncGenerator<readonly BareEnvelope[], VerifyResult>;
  /** The same as `verify` for a run and every run below it: the first one that is broken. */
  verifyTree(run: string): Promise<TreeVerified>;
}

export interface Append {
  readonly run: string;
  readonly events: readonly NewEvent[];
  /** The version the writer believes the run to be at; 0 opens a run. */
  readonly expectedVersion: number;
  /** The epoch of the lease on the root of the run's tree. */
  readonly epoch: number;
  /** Takes the first lease of a new tree in the same transaction. Only with `expectedVersion: 0` of its root. */
  readonly takesLease?: Holder;
  /** Gives the lease of the tree back in the same transaction, unless the inbox holds entries for it. */
  readonly releasesLease?: boolean;
  /** Inbox entries that these events deliver, marked as delivered in the same transaction. */
  readonly delivers?: readonly number[];
  /** What these events report elsewhere, put into the outbox in the same transaction. */
  readonly reports?: readonly NewReport[];
  /** The effect (`RUN/version/n`) of another run that opens this one. Only with `expectedVersion: 0`. */
  readonly parentEffect?: string;
  /** The ending these events bring. Nothing is accepted after it. */
  readonly closes?: string;
}

export type AppendResult =
  /** `isReleased`: the lease was given back, as asked for. */
  | { readonly kind: 'appended'; readonly envelopes: readonly Envelope[]; readonly isReleased?: boolean }
  /** Another writer appended first; `version` is the run's real version. */
  | { readonly kind: 'conflict'; readonly version: number }
  /** The lease is gone, was taken over or, where it was to be taken, is known already; `epoch` is the newest one. */
  | { readonly kind: 'fenced'; readonly epoch: number }
  | { readonly kind: 'closed'; readonly ending: string }
  /** A value in `events[index].payload` is not JSON. */
  | { readonly kind: 'not_json'; readonly index: number; readonly path: string; readonly found: string }
  | { readonly kind: 'too_large'; readonly index: number; readonly bytes: number; readonly limitBytes: number }
  /** The effect has opened a run before. */
  | { readonly kind: 'duplicate_child'; readonly run: string };

export interface Range {
  /** Adds the salts that recomputing the hashes takes. */
  readonly salts?: boolean;
  readonly from?: number;
  readonly to?: number;
}

/** An envelope without its place in the store and in its chain. */
export type BareEnvelope = Omit<Envelope, 'position' | 'hash' | 'salt' | 'digest'>;

export interface Following extends Omit<Range, 'to'> {
  readonly signal: AbortSignal;
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

export interface NewestRuns {
  /** Newest first. */
  readonly runs: readonly RunRecord[];
  /** How many older trees there are. */
  readonly more: number;
}

export interface Changes {
  /** Of the newest event of the log; 0 where it has none. */
  readonly position: number;
  readonly trees: readonly string[];
}

export type VerifyResult =
  | { readonly kind: 'intact'; readonly version: number; readonly hash: string }
  /** `version` is the first envelope that does not follow from the one before it. */
  | { readonly kind: 'broken'; readonly version: number; readonly reason: string }
  | { readonly kind: 'unknown_run' };

export type TreeVerified =
  | Exclude<VerifyResult, { readonly kind: 'broken' }>
  | (Extract<VerifyResult, { readonly kind: 'broken' }> & { readonly run: string });

/** Larger payloads are stored once, by content, beside the events. */
export const BLOB_THRESHOLD_BYTES = 64 * 1024;
export const MAX_EVENT_BYTES = 8 * 1024 * 1024;
