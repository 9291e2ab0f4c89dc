import type { DatabaseSync, DatabaseSyncOptions } from 'node:sqlite';

/**
 * Opens a database with Node's SQLite, which is loaded when the first log is opened: Node prints a warning when it
 * loads it.
 */
export function openDatabase(path: string | URL, options: DatabaseSyncOptions = {}): DatabaseSync {
  const sqlite = process.getBuiltinModule('node:sqlite');
  return new sqlite.DatabaseSync(path, options);
}
