import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Makes the folder of the loop's own files beside a project, if it is not there. Its `.gitignore` ignores the folder
 * itself, so that the project's git never lists it.
 */
export async function makeOwnFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, '.gitignore'), '*\n', { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}
