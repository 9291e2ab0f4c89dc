import { existsSync } from 'node:fs';
import { lstat, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import type { Variables } from './environment.ts';

/** From a folder up to the root of its repository, the nearest first; outside a repository that folder alone. */
export async function foldersUpwards(directory: string): Promise<readonly string[]> {
  const nearest = await realpath(directory).catch(() => null);
  if (nearest === null) return [];
  const folders: string[] = [];
  for (let folder = nearest; ; folder = dirname(folder)) {
    folders.push(folder);
    if (await exists(join(folder, '.git'))) return folders;
    if (folder === dirname(folder)) return [nearest];
  }
}

/** The folder of the user's configuration for all projects. A relative XDG_CONFIG_HOME is ignored. */
export function userFolder(env: Variables): string {
  const { XDG_CONFIG_HOME = '', HOME = '' } = env;
  const base = isAbsolute(XDG_CONFIG_HOME) ? XDG_CONFIG_HOME : join(HOME === '' ? homedir() : HOME, '.config');
  return join(base, 'loopfold');
}

/**
 * The folder of what programs of the user share on this machine. A relative XDG_STATE_HOME is ignored. Null where the
 * user has no home that exists: none is made up.
 */
export function stateFolder(env: Variables): string | null {
  const { XDG_STATE_HOME = '', HOME = '' } = env;
  if (isAbsolute(XDG_STATE_HOME)) return join(XDG_STATE_HOME, 'loopfold');
  const home = HOME === '' ? homedir() : HOME;
  return existsSync(home) ? join(home, '.local', 'state', 'loopfold') : null;
}

export const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );
