import { realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { gitWorktree } from '../../actors/workspace/git-worktree.ts';
import { LogError } from '../../log/errors.ts';
import type { Log } from '../../log/log.ts';
import { memoryLog } from '../../log/memory/engine.ts';
import { OWN_FOLDER } from '../../log/own-folder.ts';
import { openSqliteLog } from '../../log/sqlite/engine.ts';
import { type Repaired, repairStore, unreadNotes } from '../../log/sqlite/repair.ts';

const FILE = 'log.db';
const SQLITE = 'sqlite:';
/** The address of a log that is lost with its process. */
export const MEMORY = 'memory:';

/** What a store's address may look like, as the end of the sentence "expected …". */
export const STORE_ADDRESSES = 'sqlite:PATH or memory:';

/** Where a log is kept. `path` is null for one that is lost with its process. */
export interface StorePlace {
  readonly path: string | null;
}

/**
 * The place of an address, or the default of a directory: in `.loopfold/` of its main worktree, else of itself. Null
 * for what is no address, such as the databases that SQLite keeps in no file.
 */
export async function storePlace(address: string | undefined, directory: string): Promise<StorePlace | null> {
  if (address === undefined) return { path: await defaultPath(directory) };
  if (address === MEMORY) return { path: null };
  const path = address.startsWith(SQLITE) ? address.slice(SQLITE.length) : '';
  return path === '' || path === ':memory:' ? null : { path: resolve(path) };
}

/** The path of the default log of a project, by the top folder of its main worktree. */
export const defaultStoreIn = (mainRoot: string): string => join(mainRoot, OWN_FOLDER, FILE);

async function defaultPath(directory: string): Promise<string> {
  const worktree = (await isDirectory(directory)) ? await gitWorktree(directory) : null;
  return defaultStoreIn(worktree?.mainRoot ?? (await realpath(directory).catch(() => directory)));
}

/** Opens a store that must be there already. Nothing is created. Throws a `LogError`. */
export async function openStore({ path }: StorePlace, mode: 'read' | 'write'): Promise<Log> {
  if (path === null) return memoryLog();
  if (!(await isDirectory(dirname(path)))) {
    throw new LogError('unavailable', path, 'there is no log', 'Start a run first, or name the folder that has one.');
  }
  return openSqliteLog(path, { mode });
}

/** Opens a store, and makes one where there is none, with the folder of the loop's own files. Throws a `LogError`. */
export async function createStore({ path }: StorePlace): Promise<Log> {
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
