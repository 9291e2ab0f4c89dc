import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { LogError, type Log } from './log.ts';
import { openServerLog } from './postgres/open-postgres-log.ts';
import type { ServerAddress } from './server-address.ts';
import { memoryLog, openSqliteLog } from './sqlite/engine.ts';
import { type Repaired, repairStore, unreadNotes } from './sqlite/repair.ts';

export type { Repaired };

/** The address of a log that is lost with its process. */
export const MEMORY = 'memory:';

/** The place of a log. `path` is null for one that is in no file: on a server, or else lost with its process. */
export interface StorePlace {
  readonly path: string | null;
  readonly server?: ServerAddress;
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
