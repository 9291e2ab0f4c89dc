import { lstatSync, statSync } from 'node:fs';
import { BESIDE } from '../log-files.ts';
import { unavailable } from './failure.ts';

/**
 * Throws `unavailable` where a pipe, a socket or a device lies under a name of the store: SQLite would open it, and
 * wait for its other end without a limit.
 */
export function assertNothingToWaitFor(path: string): void {
  for (const name of [path, ...BESIDE.map((suffix) => path + suffix)]) {
    if (!isWaitedFor(name)) continue;
    throw unavailable(path, `${name} is no file, but a pipe, a socket or a device`, 'Move it away, then try again.');
  }
}

/**
 * Throws `unavailable` where the database is a link to another file: SQLite keeps the write-ahead log beside that one,
 * so that what is looked for beside the link is not there.
 */
export function assertNoLink(path: string): void {
  if (!isLinkToFile(path)) return;
  const remedy = 'Name that file itself, as with `--log sqlite:PATH`, or put it in the place of the link.';
  throw unavailable(path, 'it is a link to a file, and what belongs to a log lies beside that file', remedy);
}

function isLinkToFile(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink() && statSync(path).isFile();
  } catch {
    // Opening the store reports what is missing.
    return false;
  }
}

function isWaitedFor(name: string): boolean {
  try {
    const found = statSync(name, { throwIfNoEntry: false });
    return found !== undefined && !found.isFile() && !found.isDirectory();
  } catch {
    // Opening the store reports why it cannot be reached.
    return false;
  }
}
