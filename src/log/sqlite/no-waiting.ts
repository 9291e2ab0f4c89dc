import { statSync } from 'node:fs';
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

function isWaitedFor(name: string): boolean {
  try {
    const found = statSync(name, { throwIfNoEntry: false });
    return found !== undefined && !found.isFile() && !found.isDirectory();
  } catch {
    // Opening the store reports why it cannot be reached.
    return false;
  }
}
