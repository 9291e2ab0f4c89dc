import { homedir } from 'node:os';
import { delimiter, isAbsolute, sep } from 'node:path';

const SYSTEM = '/usr/local/bin:/usr/bin:/bin';

/**
 * Where our own programs are looked for, such as git and find: in the folders of `PATH` that an agent does not write
 * to. npm puts `node_modules/.bin` of the workspace before all others, and a `git` in it would say what it likes.
 * Folders of packages, relative ones, and those below the folder that this process was started in are left out.
 *
 * @example
 * ownPath('/project/node_modules/.bin:/usr/bin', '/project'); // '/usr/bin'
 */
export function ownPath(path = process.env['PATH'] ?? SYSTEM, started = process.cwd()): string {
  // A person may have all programs below their home.
  const isWorkspace = !['/', homedir()].includes(started);
  const own = path
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !folder.split(sep).includes('node_modules'))
    .filter((folder) => !isWorkspace || !`${folder}${sep}`.startsWith(`${started}${sep}`));
  return own.length === 0 ? SYSTEM : own.join(delimiter);
}

/** The environment of a program of our own, for `execa`. */
export const ownEnvironment = (): { readonly PATH: string } => ({ PATH: ownPath() });
