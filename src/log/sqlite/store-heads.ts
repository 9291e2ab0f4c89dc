import type { DatabaseSync } from 'node:sqlite';
import type { Head } from '../chain.ts';
import { type Behind, diverged } from './divergence.ts';
import { hexColumn, tuples } from './statement.ts';
import { EventsTable } from './events-table.ts';
import { RunsTable } from './runs-table.ts';

/**
 * Compares the notes of all heads with the runs of a database: throws a `LogError` `diverged` where a noted run is
 * missing, shorter or another one. The notes have to be read before the database is: a note is written after the commit
 * that it is about, so that the database may be ahead of it, but never behind.
 */
export function assertHolds(store: string, notes: ReadonlyMap<string, Head>, db: DatabaseSync): void {
  if (notes.size === 0) return;
  const heads = headsIn(db);
  const runs = new RunsTable(db, new EventsTable(db));
  const behind: Behind[] = [];
  for (const [run, noted] of notes) {
    const head = heads.get(run);
    if (head?.version === noted.version && head.hash === noted.hash) continue;
    const row = runs.find(run);
    if (row && runs.hashAt(row, noted.version) === noted.hash) continue;
    behind.push({ run, noted: noted.version, here: row ? runs.head(row).version : 0 });
  }
  if (behind.length > 0) throw diverged(store, behind);
}

/** The last event that each run wrote itself. CROSS JOIN keeps SQLite from reading every event to find them. */
function headsIn(db: DatabaseSync): ReadonlyMap<string, Head> {
  const rows = tuples<[], [run: string, version: number, hash: string]>(
    db,
    `SELECT runs.run, events.version, ${hexColumn('events.hash')} FROM runs CROSS JOIN events
     ON events.run = runs.key AND events.version = (SELECT max(version) FROM events WHERE run = runs.key)`,
    ['run', 'version', 'hash_hex'],
  ).all();
  return new Map(rows.map(([run, version, hash]) => [run, { version, hash }]));
}
