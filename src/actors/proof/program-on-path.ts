import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';

/** The first program of a name in the folders of a path, as those name it. Null: there is none. */
export async function programOnPath(name: string, path: string): Promise<string | null> {
  if (name === '' || name.includes('/')) return null;
  for (const folder of path.split(':').filter(isAbsolute)) {
    const file = join(folder, name);
    const isProgram = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isProgram) return file;
  }
  return null;
}
