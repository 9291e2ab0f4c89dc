import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import { SCHEMA } from '../../src/log/sqlite/schema.ts';

export type Row = readonly SQLOutputValue[];
const COLUMNS = 'version, type, schema, at, causation, epoch, payload, salt, digest, hash, mark';

/** Every row of the newest run, as it lies in the file. */
export function rowsOf(path: string): readonly Row[] {
  const db = new DatabaseSync(path, { readOnly: true });
  const rows = db
    .prepare(`SELECT ${COLUMNS} FROM events WHERE run = (SELECT max(run) FROM events) ORDER BY version`)
    .all();
  db.close();
  return rows.map((row) => Object.values(row));
}

/** Writes rows into the same kind of file in so many transactions a run, and does nothing else. */
export class RawLoop {
  readonly #db;
  readonly #insert;
  readonly #begin;
  readonly #commit;
  #run = 0;

  /** `isGrowing`: without checkpoints, so that each commit makes the write-ahead log longer. */
  constructor(path: string, { isGrowing = false } = {}) {
    this.#db = new DatabaseSync(path);
    this.#db.exec(`${SCHEMA}; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL`);
    if (isGrowing) this.#db.exec('PRAGMA wal_autocheckpoint = 0');
    const places = ', ?'.repeat(COLUMNS.split(',').length);
    this.#insert = this.#db.prepare(`INSERT INTO events (run, ${COLUMNS}) VALUES (?${places})`);
    this.#begin = this.#db.prepare('BEGIN IMMEDIATE');
    this.#commit = this.#db.prepare('COMMIT');
  }

  /** Writes so many runs of these rows. `between`: what is done before each transaction. */
  write(rows: readonly Row[], runs: number, transactions: number, between: () => void = () => {}): void {
    for (let n = 0; n < runs; n += 1) {
      this.#run += 1;
      for (let one = 0; one < transactions; one += 1) {
        between();
        this.#begin.run();
        for (const row of shareOf(rows, one, transactions)) this.#insert.run(this.#run, ...row);
        this.#commit.run();
      }
    }
  }

  close(): void {
    this.#db.close();
  }
}

const shareOf = (rows: readonly Row[], n: number, of: number) =>
  rows.slice(Math.round((n * rows.length) / of), Math.round(((n + 1) * rows.length) / of));
