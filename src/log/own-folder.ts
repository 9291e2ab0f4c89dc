import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The name of the folder of the loop's own files beside a project. */
export const OWN_FOLDER = '.loopfold';

/**
 * Makes the folder of the loop's own files beside a project, if it is not there. Its `.gitignore` ignores the folder
 * itself, so that the project's git never lists it.
 */
export function makeOwnFolder(folder: string): void {
  mkdirSync(folder, { recursive: true });
  try {
    writeFileSync(join(folder, '.gitignore'), '*\n', { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
