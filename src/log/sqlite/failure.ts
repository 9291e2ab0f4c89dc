import { LogError, SALVAGE } from '../log.ts';
import { refusesLocks } from './lock-probe.ts';
import { MisshapenError } from './row-shape.ts';
import { unreadBytes } from './row-bytes.ts';
import { statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { openDatabase } from './database.ts';

const [ERROR, BUSY, READONLY, CORRUPT, FULL, CANTOPEN, NOTADB] = [1, 5, 8, 11, 13, 14, 26];

/** SQLite's primary result code of what was thrown, or null when SQLite did not throw it. */
function resultCode(error: unknown): number | null {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return null;
  return error.errcode & 0xff;
}

/** Whether SQLite could not read a store because it would have had to write beside it first. */
export function needsToWrite(error: unknown): boolean {
  const code = resultCode(error);
  return code === READONLY || code === CANTOPEN;
}

/** Whether SQLite says that a file is no database. */
export const isNoDatabase = (error: unknown): boolean => resultCode(error) === NOTADB;

/** What SQLite threw, as the store's failure; anything else is a bug and stays what it is. */
export function failureOf(store: string, error: unknown): unknown {
  if (error instanceof MisshapenError) return damaged(store, error.message, error);
  const code = resultCode(error);
  if (code === null || !(error instanceof Error)) return error;
  const detail = error.message;
  switch (code) {
    case CORRUPT:
    case NOTADB: {
      const unread = unreadBytes(store);
      if (unread !== null) return unavailable(store, unread, SEE_DISK, error);
      if (isSound(store)) return unavailable(store, `${detail}, once: its file is whole now`, FAILED_ONCE, error);
      return damaged(store, detail, error);
    }
    case ERROR:
      return damaged(store, detail, error);
    case BUSY:
      if (refusesLocks(store)) return unavailable(store, NO_LOCKS, ELSEWHERE, error);
      return unavailable(store, `another process keeps it locked (${detail})`, 'Try again when it is done.', error);
    case FULL:
      return unavailable(store, detail, 'Free some space, then resume.', error);
    case READONLY:
      return unavailable(store, detail, writable(store), error);
    default:
      return unavailable(store, detail, SEE_DISK, error);
  }
}

const SEE_DISK =
  'Check that its disk has space, and that the file, its -wal and -shm, and its folder can be read and written.';

export const NO_LOCKS = 'its file system gives no locks';
const FAILED_ONCE = 'Try again. If it comes back, its disk or memory fails: copy the log to another disk.';
/** What helps where a file system has no locks that hold. */
export const ELSEWHERE = 'Keep the log on a local disk, with --log PATH.';

/** SQLite writes into the files beside it as well, and does not say which of them it could not. */
const writable = (store: string) =>
  `Make ${store}, ${store}-wal and ${store}-shm writable, where they are there, and their folder, then try again.`;

const REPAIRS = 'Restore it from a copy, or save what can be read with `loopfold check --repair FILE`.';

export const damaged = (store: string, detail: string, cause?: unknown) =>
  new LogError('damaged', store, `the log is damaged (${detail})`, REPAIRS, cause);

/** For a repair that cannot save any run: it must not send its user round to itself. */
export const unsalvageable = (store: string, detail: string, cause?: unknown) =>
  new LogError('damaged', store, `nothing could be read of the log (${detail}), and nothing was saved`, SALVAGE, cause);

export const foreign = (store: string, detail: string) =>
  new LogError('foreign', store, detail, 'It was left as it is: name another path for the log.');

export const lost = (store: string, detail: string) =>
  new LogError('lost', store, detail, 'Keep it out of what cleans up, and away from agents; then start the run again.');

export const unavailable = (store: string, detail: string, remedy: string, cause?: unknown) =>
  new LogError('unavailable', store, detail, remedy, cause);

/**
 * Returns true if SQLite finds no fault in any page of a store when it looks again. A disk that failed once makes
 * SQLite call a page malformed that is whole.
 */
function isSound(store: string): boolean {
  try {
    const url = pathToFileURL(store);
    // At rest the store is read as it lies: SQLite makes no file beside it.
    if (isAtRest(store)) url.searchParams.set('immutable', '1');
    const db = openDatabase(url, { readOnly: true });
    try {
      return db.prepare('PRAGMA integrity_check(1)').get()?.['integrity_check'] === 'ok';
    } finally {
      db.close();
    }
  } catch {
    return false;
  }
}

const isAtRest = (store: string): boolean => !statSync(`${store}-wal`, { throwIfNoEntry: false })?.size;
