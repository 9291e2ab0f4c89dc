import { realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';

/** Whether there is a folder at a path, through symbolic links. */
export const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

/** Whether two paths lead to the same folder. */
export const isSameFolder = async (one: string, other: string): Promise<boolean> =>
  (await real(one)) === (await real(other));

const real = (path: string): Promise<string> => realpath(path).catch(() => resolve(path));
