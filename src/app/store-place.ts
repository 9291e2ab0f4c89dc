import { realpath, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { gitWorktree } from '../git/git-worktree.ts';
import { MEMORY, type StorePlace } from '../log/open-store.ts';
import { OWN_FOLDER } from '../log/own-folder.ts';
import { isServerAddress, serverAddress } from '../log/server-address.ts';

const FILE = 'log.db';
const SQLITE = 'sqlite:';

/** What a store's address may look like, as the end of the sentence "expected …". */
const STORE_ADDRESSES = `sqlite:PATH, ${MEMORY}, postgres://USER@HOST/DATABASE or env:NAME`;

/**
 * The place of an address, or the default of a directory: in `.loopfold/` of its main worktree, else of itself. A text
 * for what is no address, such as the databases that SQLite keeps in no file: it says what is expected, and repeats
 * nothing of the address, which may hold a password.
 */
export async function storePlace(address: string | undefined, directory: string): Promise<StorePlace | string> {
  if (address === undefined) return defaultPlace(directory);
  if (address === MEMORY) return { path: null };
  if (isServerAddress(address)) {
    const server = serverAddress(address);
    return typeof server === 'string' ? server : { path: null, server };
  }
  const path = address.startsWith(SQLITE) ? address.slice(SQLITE.length) : '';
  return path === '' || path === ':memory:' ? STORE_ADDRESSES : { path: resolve(path) };
}

/** The place of the log of a directory where none is named. */
export const defaultPlace = async (directory: string) => ({ path: await defaultPath(directory) });

/** The path of the default log of a project, by the top folder of its main worktree. */
export const defaultStoreIn = (mainRoot: string): string => join(mainRoot, OWN_FOLDER, FILE);

async function defaultPath(directory: string): Promise<string> {
  const worktree = (await isDirectory(directory)) ? await gitWorktree(directory) : null;
  return defaultStoreIn(worktree?.mainRoot ?? (await realpath(directory).catch(() => directory)));
}

const isDirectory = (path: string): Promise<boolean> =>
  stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
