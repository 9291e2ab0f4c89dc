import { realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { gitWorktree } from '../../git/git-worktree.ts';
import { LogError } from '../../log/errors.ts';
import type { Log } from '../../log/log.ts';
import { openServerLog } from '../../log/postgres/open-postgres-log.ts';
import { isServerAddress, type ServerAddress, serverAddress } from '../../log/postgres/server-address.ts';
import { memoryLog, openSqliteLog } from '../../log/sqlite/engine.ts';
import { OWN_FOLDER } from '../../log/own-folder.ts';
import { type Repaired, repairStore, unreadNotes } from '../../log/sqlite/repair.ts';

const FILE = 'log.db';
const SQLITE = 'sqlite:';
/** The address of a log that is lost with its process. */
export const MEMORY = 'memory:';

/** What a store's address may look like, as the end of the sentence "expected …". */
const STORE_ADDRESSES = `sqlite:PATH, ${MEMORY}, postgres://USER@HOST/DATABASE or env:NAME`;

/** The place of a log. `path` is null for one that is in no file: on a server, or else lost with its process. */
export interface StorePlace {
  readonly path: string | null;
  readonly server?: ServerAddress;
}

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

/** Opens a store that must be there already. Nothing is created. Throws a `LogError`. */
export async function openStore({ path, server }: StorePlace, mode: 'read' | 'write'): Promise<Log> {
  if (server) return openServerLog(server, { mode });
  if (path === null) return memoryLog();
  if (!(await isDirectory(dirname(path)))) {
    throw new LogError('unavailable', path, 'there is no log', 'Start a run first, or name the folder that has one.');
  }
  return openSqliteLog(path, { mode });
}

/** Opens a store, and makes one where there is none, with the folder of the loop's own files. Throws a `LogError`. */
export async function createStore({ path, server }: StorePlace): Promise<Log> {
  if (server) return openServerLog(server);
  return path === null ? memoryLog() : openSqliteLog(path);
}

/** Sentences about notes beside a store that cannot be read. */
export const noteWarnings = ({ path }: { readonly path: string }): readonly string[] => unreadNotes(path);

/** Saves what can be read of a damaged store into a new file. Throws a `LogError`. */
export function repair({ path }: { readonly path: string }, into: string): Repaired {
  return repairStore(path, into);
}

const isDirectory = (path: string): Promise<boolean> =>
  stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
