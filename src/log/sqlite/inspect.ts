import { type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Head } from '../chain.ts';
import { LogError } from '../log.ts';
import { APPLICATION_ID, HEADS } from '../log-files.ts';
import { diverged } from './divergence.ts';
import { damaged, failureOf, foreign, isNoDatabase, unavailable } from './failure.ts';
import { Heads, type UnreadNote } from './heads.ts';
import { inFlight, looking, openLook } from './look.ts';
import { TABLES } from './schema.ts';
import { assertHolds } from './store-heads.ts';

/** What was found at a path. `unread`: notes that nothing could be compared with. */
export interface Inspected {
  readonly kind: 'absent' | 'ours';
  readonly unread: readonly UnreadNote[];
}

/**
 * Inspects a path without changing anything: `absent` (or an empty file), or `ours`, a store that opens and holds every
 * run that was noted beside it. Else throws a `LogError`.
 */
export function inspect(path: string, isWriting: boolean): Inspected {
  const folder = statOf(dirname(path), path);
  if (!folder?.isDirectory()) {
    throw unavailable(path, `there is no folder ${dirname(path)}`, 'Create it, or name another path.');
  }
  return looking(path, () => inspected(path, isWriting));
}

function inspected(path: string, isWriting: boolean): Inspected {
  // In this order: a run is noted, and pages lie in the write-ahead log, only once the file has its first page.
  const { heads: notes, unread } = new Heads(path + HEADS).all(isWriting);
  return { kind: compared(path, notes), unread };
}

function compared(path: string, notes: ReadonlyMap<string, Head>): Inspected['kind'] {
  const flying = inFlight(path);
  const file = statOf(path, path);
  if (file === null || file.size === 0) return absent(path, notes, flying);
  if (!file.isFile()) throw unavailable(path, 'it is not a file', 'Name another path for the log.');
  try {
    const look = openLook(path);
    try {
      // Its schema is being written, or was not when its process was killed: SQLite takes that back.
      if (flying === 'journal' && notes.size === 0 && pagesOf(look.db) === 0) return 'ours';
      assertOurs(path, look.db);
      if (flying === 'nothing') assertWhole(path, look.db);
      readEnds(look.db);
      assertHolds(path, notes, look.db);
      return 'ours';
    } finally {
      look.close();
    }
  } catch (error) {
    const found = failureOf(path, error);
    if (found instanceof LogError && found.kind === 'unavailable') throw found;
    const failure = failureOf(path, isNoDatabase(error) ? foreign(path, 'it is not a log but some other file') : error);
    // A file that lies beside the notes of a log was one.
    const isOurs = failure instanceof LogError && failure.kind === 'foreign' && notes.size > 0;
    throw isOurs ? damaged(path, 'it does not begin as a log does', error) : failure;
  }
}

/** SQLite would delete the write-ahead log of an empty database. */
function absent(path: string, notes: ReadonlyMap<string, Head>, flying: ReturnType<typeof inFlight>): 'absent' {
  const behind = [...notes].map(([run, { version }]) => ({ run, noted: version, here: 0 }));
  if (behind.length > 0) throw diverged(path, behind);
  if (flying === 'wal') throw damaged(path, 'the file is empty or gone, and its write-ahead log is still there');
  return 'absent';
}

function assertOurs(path: string, db: DatabaseSync): void {
  const { application_id: id } = db.prepare('PRAGMA application_id').get() as { application_id: number };
  if (id !== APPLICATION_ID) throw foreign(path, 'it is a database of another program');
}

/** SQLite itself counts whole pages only. */
function assertWhole(path: string, db: DatabaseSync): void {
  const pages = pagesOf(db);
  const { page_size: pageBytes } = db.prepare('PRAGMA page_size').get() as { page_size: number };
  const bytes = statOf(path, path)?.size ?? 0;
  if (bytes < pages * pageBytes) throw damaged(path, `${bytes} bytes where ${pages * pageBytes} were written`);
}

const pagesOf = (db: DatabaseSync): number =>
  (db.prepare('PRAGMA page_count').get() as { page_count: number }).page_count;

/** Reads the first and the last row of every table. */
function readEnds(db: DatabaseSync): void {
  const { user_version } = db.prepare('PRAGMA user_version').get() as { user_version: number };
  for (const [table, since] of TABLES) {
    if (since > user_version) continue;
    const order = table === 'leases' ? 'root' : 'rowid';
    for (const direction of ['ASC', 'DESC']) {
      const end = db.prepare(`SELECT * FROM ${table} ORDER BY ${order} ${direction} LIMIT 1`);
      // Node throws where a number would be too large.
      end.setReadBigInts(true);
      end.get();
    }
  }
}

function statOf(file: string, store: string): Stats | null {
  try {
    return statSync(file, { throwIfNoEntry: false }) ?? null;
  } catch (cause) {
    throw unavailable(store, `${file} cannot be looked at`, 'Check the path and its permissions.', cause);
  }
}
