import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The name of the folder of the loop's own files beside a project. */
export const OWN_FOLDER = '.loopfold';

/** Only their user may look into folders of a log, and read its files. */
export const OWN_FOLDER_MODE = 0o700;
export const OWN_FILE = 0o600;
const OF_OTHERS = 0o077;

/**
 * Makes the folder of the loop's own files beside a project, if it is not there, open to no other user. Its
 * `.gitignore` ignores the folder itself, so that the project's git never lists it.
 */
export function makeOwnFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: OWN_FOLDER_MODE });
  try {
    writeFileSync(join(folder, '.gitignore'), '*\n', { flag: 'wx', mode: OWN_FILE });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Takes the permissions of other users from a file or folder of ours. It stays as it is where the system refuses. */
export function closeToOthers(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found || (found.mode & OF_OTHERS) === 0) return;
  try {
    chmodSync(path, found.mode & ~OF_OTHERS);
  } catch {
    // It belongs to another user, who has shared it.
  }
}
