import { closeSync, openSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { HEADS } from '../log-files.ts';
import { closeToOthers, OWN_FILE, OWN_FOLDER } from '../own-folder.ts';

/** Closes the own folder and the log in it to other users: an earlier version left them open. */
export function closeOwnFolder(path: string): void {
  const folder = dirname(path);
  if (basename(folder) !== OWN_FOLDER) return;
  for (const own of [folder, path, `${path}-wal`, `${path}-shm`, path + HEADS]) closeToOthers(own);
}

/** SQLite gives the files that it makes beside a database the permissions of the database. */
export function createPrivate(path: string): void {
  try {
    closeSync(openSync(path, 'a', OWN_FILE));
  } catch {
    // SQLite meets the same obstacle, and names it.
  }
}
