import type { DatabaseSync } from 'node:sqlite';
import { type Head, START } from '../chain.ts';
import { endingOf } from '../recorded-ending.ts';
import type { RunRecord } from '../event-store.ts';
import { timestamp } from './column-values.ts';
import type { Segment } from './event-pages.ts';
import type { EventsTable, Last } from './events-table.ts';
import { statement } from './statement.ts';

export interface RunRow {
  readonly key: number;
  readonly run: string;
  readonly root: string;
  readonly parent_effect: string | null;
  /** Key of the run it was forked from. */
  readonly prefix: number | null;
  /** How many versions it shares with that run, 0 without one. */
  readonly prefix_version: number;
  readonly created_at: number;
  /** What its writer noted beside the events: `RunsTable.ending` is the ending. */
  readonly closed: string | null;
}

/** By name: in a schema that was damaged, a column that is missing is an error of the query. */
export const SELECT_RUNS = 'SELECT key, run, root, parent_effect, prefix, prefix_version, created_at, closed FROM runs';

const NO_END = Number.MAX_SAFE_INTEGER;

/** The table `runs`, and what a run's row says together with its events. */
export class RunsTable {
  readonly #events: EventsTable;
  readonly #insert;
  readonly #close;
  readonly #byName;
  readonly #byKey;
  readonly #byEffect;
  readonly #byRoot;
  readonly #newestRoots;
  readonly #countRoots;
  readonly #all;

  constructor(db: DatabaseSync, events: EventsTable) {
    this.#events = events;
    type Inserted = [string, string, effect: string | null, prefix: number | null, shared: number, createdAt: number];
    this.#insert = statement<Inserted>(
      db,
      `INSERT INTO runs (run, root, parent_effect, prefix, prefix_version, created_at) VALUES (?, ?, ?, ?, ?, ?)`,
    );
    this.#close = statement<[ending: string, key: number]>(db, 'UPDATE runs SET closed = ? WHERE key = ?');
    this.#byName = statement<[string], RunRow>(db, `${SELECT_RUNS} WHERE run = ?`);
    this.#byKey = statement<[number], RunRow>(db, `${SELECT_RUNS} WHERE key = ?`);
    this.#byEffect = statement<[string], RunRow>(db, `${SELECT_RUNS} WHERE parent_effect = ?`);
    this.#byRoot = statement<[string], RunRow>(db, `${SELECT_RUNS} WHERE root = ? ORDER BY key`);
    this.#newestRoots = statement<[most: number], RunRow>(
      db,
      `${SELECT_RUNS} WHERE parent_effect IS NULL ORDER BY key DESC LIMIT ?`,
    );
    this.#countRoots = statement<[], { count: number }>(
      db,
      'SELECT count(*) AS count FROM runs WHERE parent_effect IS NULL',
    );
    this.#all = statement<[], RunRow>(db, `${SELECT_RUNS} ORDER BY key`);
  }

  find(run: string): RunRow | null {
    return this.#byName.get(run);
  }

  openedBy(effect: string): RunRow | null {
    return this.#byEffect.get(effect);
  }

  ofTree(root: string): readonly RunRow[] {
    return this.#byRoot.all(root);
  }

  newestRoots(most: number): readonly RunRow[] {
    return this.#newestRoots.all(most);
  }

  countRoots(): number {
    return this.#countRoots.get()?.count ?? 0;
  }

  all(): readonly RunRow[] {
    return this.#all.all();
  }

  insert(row: Omit<RunRow, 'key' | 'closed'>): RunRow {
    const { run, root, parent_effect, prefix, prefix_version, created_at } = row;
    const key = this.#insert.run(run, root, parent_effect, prefix, prefix_version, created_at);
    return { ...row, key, closed: null };
  }

  close(key: number, ending: string): void {
    this.#close.run(ending, key);
  }

  /** Whose events a run is made of, oldest first. */
  segments(row: RunRow): readonly Segment[] {
    const segments: Segment[] = [];
    let to = NO_END;
    for (let owner: RunRow | null = row; owner; owner = this.#prefixOf(owner)) {
      const { key, run, prefix_version } = owner;
      segments.unshift({ key, run, from: prefix_version + 1, to });
      to = Math.min(to, prefix_version);
    }
    return segments;
  }

  head(row: RunRow): Head {
    return this.#events.lastOwn(row.key) ?? this.#headOfPrefix(row);
  }

  /** The ending of a run, null while it is open. */
  ending(row: RunRow): string | null {
    return this.#endingAfter(this.#events.lastOwn(row.key), row);
  }

  #endingAfter(last: Last | null, { key, closed }: RunRow): string | null {
    return last && endingOf(last, closed, () => this.#events.decision(key));
  }

  record(row: RunRow): RunRecord {
    const { run, root, parent_effect, created_at } = row;
    const last = this.#events.lastOwn(row.key);
    const { version, hash } = last ?? this.#headOfPrefix(row);
    const prefix = this.#prefixOf(row);
    const createdAt = timestamp(created_at);
    return {
      run,
      root,
      parentEffect: parent_effect,
      forkedFrom: prefix && { run: prefix.run, version: row.prefix_version },
      version,
      hash,
      createdAt,
      updatedAt: last?.at ?? createdAt,
      closed: this.#endingAfter(last, row),
    };
  }

  hashAt(row: RunRow, version: number): string | null {
    const segment = this.segments(row).find(({ from, to }) => version >= from && version <= to);
    return segment ? this.#events.hashAt(segment.key, version) : null;
  }

  #headOfPrefix(row: RunRow): Head {
    const hash = this.hashAt(row, row.prefix_version);
    return hash === null ? START : { version: row.prefix_version, hash };
  }

  /** A fork is younger than what it continues: rows that say otherwise are damaged, and would lead round in circles. */
  #prefixOf({ key, prefix }: RunRow): RunRow | null {
    return prefix === null || prefix >= key ? null : this.#byKey.get(prefix);
  }
}
