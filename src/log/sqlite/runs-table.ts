import type { DatabaseSync } from 'node:sqlite';
import { type Head, START } from '../chain.ts';
import { endingOf } from '../last-record.ts';
import type { Changes, RunRecord } from '../event-store.ts';
import { timestamp } from '../timestamp.ts';
import type { Segment } from './event-pages.ts';
import type { EventsTable, Last } from './events-table.ts';
import { statement, tuples } from './statement.ts';

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

/** A run with its last event; nulls where it has none. */
type Listed = [
  key: number,
  run: string,
  root: string,
  parent_effect: string | null,
  prefix: number | null,
  prefix_version: number,
  created_at: number,
  closed: string | null,
  version: number | null,
  hash: string | null,
  at: number | null,
  type: string,
  mark: string | null,
];

const LAST = ['last_version', 'last_hash_hex', 'last_at', 'type', 'mark'];

const NO_END = Number.MAX_SAFE_INTEGER;

/** The table `runs`, and what a run's row says together with its events. */
export class RunsTable {
  readonly #events: EventsTable;
  readonly #insert;
  readonly #close;
  readonly #byName;
  readonly #byKey;
  readonly #byEffect;
  readonly #byEffects;
  readonly #byRoot;
  readonly #newestRoots;
  readonly #countRoots;
  readonly #all;
  readonly #newestPosition;
  readonly #changed;

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
    this.#byEffects = statement<[from: string, before: string], RunRow>(
      db,
      `${SELECT_RUNS} WHERE parent_effect > ? AND parent_effect < ? ORDER BY key`,
    );
    this.#byRoot = statement<[string], RunRow>(db, `${SELECT_RUNS} WHERE root = ? ORDER BY key`);
    const roots = `parent_effect IS NULL AND key < iif(?1 IS NULL, ${NO_END}, (SELECT key FROM runs WHERE run = ?1))`;
    this.#newestRoots = statement<[before: string | null, most: number], RunRow>(
      db,
      `${SELECT_RUNS} WHERE ${roots} ORDER BY key DESC LIMIT ?2`,
    );
    this.#countRoots = statement<[before: string | null], { count: number }>(
      db,
      `SELECT count(*) AS count FROM runs WHERE ${roots}`,
    );
    this.#newestPosition = statement<[], { newest: number | null }>(db, 'SELECT max(position) AS newest FROM events');
    this.#changed = statement<[since: number, to: number], { root: string }>(
      db,
      `SELECT DISTINCT runs.root AS root FROM events JOIN runs ON runs.key = events.run
       WHERE events.position > ? AND events.position <= ?`,
    );
    this.#all = tuples<[], Listed>(
      db,
      `SELECT runs.key, runs.run, root, parent_effect, prefix, prefix_version, created_at, closed,
         version, CASE typeof(hash) WHEN 'blob' THEN lower(hex(hash)) ELSE iif(version IS NULL, NULL, 0) END,
         at, coalesce(types.type, ''), mark
       FROM runs LEFT JOIN events ON events.position =
         (SELECT position FROM events WHERE run = runs.key ORDER BY version DESC LIMIT 1)
       LEFT JOIN types ON types.key = events.type ORDER BY runs.key`,
      ['key', 'run', 'root', 'parent_effect', 'prefix', 'prefix_version', 'created_at', 'closed', ...LAST],
    );
  }

  find(run: string): RunRow | null {
    return this.#byName.get(run);
  }

  openedBy(effect: string): RunRow | null {
    return this.#byEffect.get(effect);
  }

  /** The runs that effects of a run have opened, by the index of these effects. */
  openedFrom(run: string): readonly RunRow[] {
    // "0" follows "/", which separates the run from the rest of an effect's name.
    return this.#byEffects.all(`${run}/`, `${run}0`);
  }

  ofTree(root: string): readonly RunRow[] {
    return this.#byRoot.all(root);
  }

  /** `before`: those that are older than this run. */
  newestRoots(most: number, before: string | null): readonly RunRow[] {
    return this.#newestRoots.all(before, most);
  }

  countRoots(before: string | null): number {
    return this.#countRoots.get(before)?.count ?? 0;
  }

  /** Every run, as `record` has it: with its last event in one row, because there may be many of them. */
  records(): readonly RunRecord[] {
    return this.#all
      .all()
      .map(([key, run, root, parent_effect, prefix, prefix_version, created_at, closed, ...last]) => {
        const row = { key, run, root, parent_effect, prefix, prefix_version, created_at, closed };
        const [version, hash, at, type, mark] = last;
        const isEmpty = version === null || hash === null || at === null;
        return this.#recordOf(row, isEmpty ? null : { version, hash, at: timestamp(at), type, mark });
      });
  }

  /** The trees with events behind a position, without a look at any before it. */
  changes(since: number | null): Changes {
    const position = this.#newestPosition.get()?.newest ?? 0;
    const changed = since === null ? [] : this.#changed.all(since, position);
    return { position, trees: changed.map(({ root }) => root) };
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
    return this.#recordOf(row, this.#events.lastOwn(row.key));
  }

  #recordOf(row: RunRow, last: Last | null): RunRecord {
    const { run, root, parent_effect, created_at } = row;
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
