import type { Json } from './envelope.ts';

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
