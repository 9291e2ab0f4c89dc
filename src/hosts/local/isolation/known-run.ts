import { stat } from 'node:fs/promises';
import type { WorktreeRecord } from '../../../actors/workspace/worktree-record.ts';
import { addressOf, isFileAddress } from '../../../log/log-files.ts';
import type { Log } from '../../../log/log.ts';
import { MEMORY, openStore } from '../store.ts';
import type { KnownRun } from './leftover.ts';

interface Logs {
  /** The log of the process that asks. */
  readonly log: Log | null;
  /** The default log of the project that the worktree lies in: the path of a file. */
  readonly beside: string;
}

/**
 * Looks for the run of a record: in the log given, then in the one that the record names, then in that of the project.
 * The paths in a record are those of its time: a project may have been moved since.
 */
export async function knownRun({ run, store }: WorktreeRecord, { log, beside }: Logs): Promise<KnownRun> {
  const here = log && (await knownIn(log, run));
  if (here?.kind === 'known') return here;
  if (log && addressOf(log) === store) return { kind: 'unknown_run' };
  if (store === MEMORY) return { kind: 'no_log' };
  if (!isFileAddress(store)) return { kind: 'unreadable', reason: `it is at ${store}` };
  const named = await knownAt(store, run);
  if (named !== null) return named;
  const project = beside === store || (log && addressOf(log) === beside) ? null : await knownAt(beside, run);
  return project === null || project.kind === 'unknown_run' ? { kind: 'lost_log', store } : project;
}

/** Null: there is no such file. */
async function knownAt(store: string, run: string): Promise<KnownRun | null> {
  const found = await stat(store).catch((error: NodeJS.ErrnoException) => error.code);
  if (found === 'ENOENT' || found === 'ENOTDIR') return null;
  try {
    const other = await openStore({ path: store }, 'read');
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
