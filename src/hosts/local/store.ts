import { realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { gitWorktree } from '../../actors/workspace/git-worktree.ts';
import { makeOwnFolder } from '../../actors/workspace/own-folder.ts';
import { LogError } from '../../log/errors.ts';
import type { Log } from '../../log/log.ts';
import { memoryLog } from '../../log/memory/engine.ts';
import { openSqliteLog } from '../../log/sqlite/engine.ts';

const FOLDER = '.loopfold';
const FILE = 'log.db';
const SQLITE = 'sqlite:';
/** The address of a log that is lost with its process. */
export const MEMORY = 'memory:';

/** What a store's address may look like, as the end of the sentence "expected …". */
export const STORE_ADDRESSES = 'sqlite:PATH or memory:';

/** Where a log is kept. `path` is null for one that is lost with its process. */
export interface StorePlace {
  readonly path: string | null;
  /** Default location: `.loopfold/` in the project. */
  readonly isDefault: boolean;
}

/** The place of an address, or the default of a directory: in the root of its main worktree, else in itself. */
export async function storePlace(address: string | undefined, directory: string): Promise<StorePlace | null> {
  if (address === undefined) return { path: await defaultPath(directory), isDefault: true };
  if (address === MEMORY) return { path: null, isDefault: false };
  const path = address.startsWith(SQLITE) ? address.slice(SQLITE.length) : '';
  return path === '' ? null : { path: resolve(path), isDefault: false };
}

/** The path of the default log of a project, by the top folder of its main worktree. */
export const defaultStoreIn = (mainRoot: string): string => join(mainRoot, FOLDER, FILE);

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

/**
 * Opens a store, and makes one where there is none. The default folder has a `.gitignore` that ignores the folder
 * itself, so that the project's git never lists it. Throws a `LogError`.
 */
export async function createStore({ path, isDefault }: StorePlace): Promise<Log> {
  if (path === null) return memoryLog();
  if (isDefault) await keepFolder(path);
  return openSqliteLog(path);
}

async function keepFolder(path: string): Promise<void> {
  const folder = dirname(path);
  try {
    await makeOwnFolder(folder);
  } catch (cause) {
    const detail = `${folder} cannot be written (${(cause as NodeJS.ErrnoException).code})`;
    throw new LogError('unavailable', path, detail, 'Make it writable, or keep the log at another path.', cause);
  }
}

const isDirectory = (path: string): Promise<boolean> =>
  stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
