import { lstatSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What git looks for in a folder: the first makes it a work tree, the second may make it a repository itself. */
const SIGNS = ['.git', 'HEAD'];

/**
 * Whether a folder is in no git work tree for sure, by a look at the folders around it: it takes microseconds, and a
 * question to git milliseconds. Where this says false, git has to be asked. It holds for calls that let git find the
 * repository.
 */
export function isOutsideGit(directory: string): boolean {
  try {
    return hasNoSign(realpathSync.native(directory));
  } catch {
    return false;
  }
}

function hasNoSign(folder: string): boolean {
  if (SIGNS.some((sign) => lstatSync(join(folder, sign), { throwIfNoEntry: false }) !== undefined)) return false;
  const around = dirname(folder);
  return around === folder || hasNoSign(around);
}
