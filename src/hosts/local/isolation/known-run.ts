import { stat } from 'node:fs/promises';
import type { WorktreeRecord } from '../../../actors/workspace/worktree-record.ts';
import type { Log } from '../../../log/log.ts';
import { MEMORY, openStore } from '../store.ts';
import type { KnownRun } from './leftover.ts';

/** Looks in the log that a record names: the one given, where it is that, or another. */
export async function knownRun({ run, store }: WorktreeRecord, log: Log | null): Promise<KnownRun> {
  if (log && log.store === store) return knownIn(log, run);
  if (store === MEMORY || !(await stat(store).catch(() => null))) return { kind: 'no_log' };
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
