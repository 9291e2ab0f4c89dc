import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { WorktreeRecord } from '../../../actors/workspace/worktree-record.ts';
import type { Log } from '../../../log/log.ts';
import { MEMORY, openStore } from '../store.ts';
import type { KnownRun } from './leftover.ts';

/** `memory:`, or another address of a log that is no path. */
const SCHEME = /^[a-z]+:/;

/** Where a log is, as other processes find it. */
export const addressOf = ({ store }: Pick<Log, 'store'>): string => (SCHEME.test(store) ? store : resolve(store));

/** Looks in the log that a record names: the one given, where it is that, or another. */
export async function knownRun({ run, store }: WorktreeRecord, log: Log | null): Promise<KnownRun> {
  if (log && addressOf(log) === store) return knownIn(log, run);
  if (store === MEMORY) return { kind: 'no_log' };
  if (SCHEME.test(store)) return { kind: 'unreadable', reason: `it is at ${store}` };
  const found = await stat(store).catch((error: NodeJS.ErrnoException) => error.code);
  if (found === 'ENOENT') return { kind: 'no_log' };
  try {
    const other = await openStore({ path: store, isDefault: false }, 'read');
    return await knownIn(other, run).finally(() => other.close());
  } catch (error) {
    return { kind: 'unreadable', reason: error instanceof Error ? error.message : String(error) };
  }
}

async function knownIn(log: Log, run: string): Promise<KnownRun> {
  const record = await log.run(run);
  if (!record) return { kind: 'unknown_run' };
  const isContinued =
    record.closed !== null &&
    (await log.runs()).some(({ forkedFrom, closed }) => forkedFrom?.run === run && closed === null);
  const updatedMs = Date.parse(record.updatedAt);
  return { kind: 'known', isClosed: record.closed !== null, isContinued, updatedMs };
}
