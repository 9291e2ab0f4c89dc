import { statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { openDatabase } from './database.ts';

/**
 * Returns true if SQLite finds no fault in any page of a store when it looks again. A disk that failed once makes
 * SQLite call a page malformed that is whole.
 */
export function isSound(store: string): boolean {
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
