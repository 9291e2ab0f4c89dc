import { type BigIntStats, copyFileSync, existsSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { makeTemporaryFolderNow, NO_TEMPORARY_FILES } from '../temporary-folders.ts';
import { openDatabase } from './database.ts';
import { needsToWrite, unavailable } from './failure.ts';

// How a store is read without being changed. A plain connection would create files beside it and, as the last one to
// close, copy the write-ahead log into the database and delete it: what shows that a store was damaged would be gone.

const BUSY_TIMEOUT_MS = 5_000;
const MAX_LOOKS = 6;
/** What SQLite keeps beside a database and needs to read it. The index of the write-ahead log it makes anew. */
const BESIDE = ['-wal', '-journal'] as const;

/** A connection that changes no file of the store. */
export interface Look {
  readonly db: DatabaseSync;
  readonly close: () => void;
}

/** The file that SQLite keeps beside a database while it writes pages, or that a killed process left there. */
export function inFlight(path: string): 'journal' | 'wal' | 'nothing' {
  if (bytesOf(`${path}-journal`) > 0) return 'journal';
  return bytesOf(`${path}-wal`) > 0 ? 'wal' : 'nothing';
}

const bytesOf = (path: string): number => Number(statsOf(path)?.size ?? 0);

/** Undefined as well where the path cannot be reached: opening the store then reports why. */
function statsOf(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false, bigint: true });
  } catch {
    return undefined;
  }
}

/**
 * Opens a store to look at it: at rest as it lies, beside writers through their write-ahead log, and where SQLite would
 * have to write in order to read (a rollback, or an index in a folder that takes no files), a copy of it.
 */
export function openLook(path: string): Look {
  switch (inFlight(path)) {
    case 'nothing':
      return lookAtRest(path);
    case 'wal':
      return lookBesideWriters(path);
    case 'journal':
      return lookAtCopy(path);
  }
}

/** Looks again while other processes change the store: pages that are read without a lock may be torn. */
export function looking<Result>(path: string, look: () => Result): Result {
  for (let looks = 1; ; looks += 1) {
    const before = stampOf(path);
    try {
      return look();
    } catch (error) {
      if (looks === MAX_LOOKS || stampOf(path) === before) throw error;
    }
  }
}

function lookAtRest(path: string): Look {
  const url = pathToFileURL(path);
  url.searchParams.set('immutable', '1');
  try {
    return lookThrough(openDatabase(url, { readOnly: true }));
  } catch (error) {
    // Node before 22.15 takes no URL.
    if (error instanceof TypeError) return lookBesideWriters(path);
    throw error;
  }
}

function lookBesideWriters(path: string): Look {
  const db = openDatabase(path, { readOnly: true });
  try {
    db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    db.prepare('SELECT count(*) FROM sqlite_schema').get();
    return lookThrough(db);
  } catch (error) {
    db.close();
    if (needsToWrite(error)) return lookAtCopy(path);
    throw error;
  }
}

function lookAtCopy(path: string): Look {
  const folder = madeFolder(path);
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const db = openDatabase(copyInto(folder, path));
    return { db, close: () => (db.close(), remove()) };
  } catch (error) {
    remove();
    throw error;
  }
}

function madeFolder(path: string): string {
  try {
    return makeTemporaryFolderNow('look');
  } catch (cause) {
    const detail = `it has to be copied to be read, and no folder can be made in ${tmpdir()} (${codeOf(cause)})`;
    throw unavailable(path, detail, NO_TEMPORARY_FILES, cause);
  }
}

function copyInto(folder: string, path: string): string {
  const copy = join(folder, basename(path));
  try {
    for (const suffix of ['', ...BESIDE]) if (existsSync(path + suffix)) copyFileSync(path + suffix, copy + suffix);
  } catch (cause) {
    const detail = `it has to be copied in order to be read, and cannot be (${codeOf(cause)})`;
    const remedy = `Make ${path}, and ${path}-wal and ${path}-journal where they are there, readable files`;
    throw unavailable(path, detail, `${remedy}, and free space in ${tmpdir()}.`, cause);
  }
  return copy;
}

const codeOf = (cause: unknown) => (cause as NodeJS.ErrnoException).code;

const lookThrough = (db: DatabaseSync): Look => ({ db, close: () => db.close() });

/** Differs once another process has written. */
function stampOf(path: string): string {
  return ['', ...BESIDE]
    .map((suffix) => {
      const stats = statsOf(path + suffix);
      return stats ? `${stats.ino}:${stats.size}:${stats.mtimeNs}` : '';
    })
    .join(' ');
}
