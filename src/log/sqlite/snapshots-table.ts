import type { DatabaseSync } from 'node:sqlite';
import type { Json } from '../envelope.ts';
import type { StoredSnapshot } from '../log.ts';
import { bytesOf, hexOf, statement } from './statement.ts';
import type { Segment } from './event-pages.ts';
import { jsonIn } from '../../text/json-in.ts';

interface Row {
  readonly version: number;
  readonly hash: Uint8Array;
  readonly machine: string;
  readonly state: string;
}

/** The table `snapshots`. */
export class SnapshotsTable {
  readonly #save;
  readonly #latest;

  constructor(db: DatabaseSync) {
    this.#save = statement<[run: string, version: number, hash: Uint8Array, machine: string, state: string]>(
      db,
      'INSERT OR REPLACE INTO snapshots (run, version, hash, machine, state) VALUES (?, ?, ?, ?, ?)',
    );
    this.#latest = statement<[key: number, run: string, from: number, to: number], Row>(
      db,
      `SELECT s.version, s.hash, s.machine, s.state FROM snapshots s
       JOIN events e ON e.run = ? AND e.version = s.version AND e.hash = s.hash
       WHERE s.run = ? AND s.version BETWEEN ? AND ? ORDER BY s.version DESC LIMIT 1`,
    );
  }

  save({ run, version, hash, machine, state }: StoredSnapshot): void {
    this.#save.run(run, version, bytesOf(hash), machine, JSON.stringify(state));
  }

  /** The newest within a segment whose hash is still the log's. */
  latest({ key, run, from, to }: Segment, atMost: number): StoredSnapshot | null {
    const row = this.#latest.get(key, run, from, Math.min(to, atMost));
    // A cached state may be lost at any time: one that cannot be read is lost.
    const state = row && (jsonIn(row.state) as Json | undefined);
    if (!row || state === undefined) return null;
    const { version, machine } = row;
    return { run, version, hash: hexOf(row.hash), machine, state };
  }
}
