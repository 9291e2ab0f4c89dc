import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { validate as isUuid } from 'uuid';
import { readSettings } from '../../runtime/read-settings.ts';
import { addressOf, fileOf, isFileAddress } from '../../log/log-files.ts';
import type { RunRecord } from '../../log/event-store.ts';
import type { Log } from '../../log/log.ts';
import { MEMORY, openStore } from '../../log/open-store.ts';
import type { KnownRun } from './leftover.ts';
import { runRecord } from './run-record.ts';

/** Logs that are read beside that of the process. Many worktrees may name the same one: each is opened once. */
export class OtherLogs {
  readonly #opened = new Map<string, Promise<Log>>();

  /** Opens the log in a file, to read it. Rejects with a `LogError` where it cannot be read. */
  open(path: string): Promise<Log> {
    const opened = this.#opened.get(path) ?? openStore({ path }, 'read');
    this.#opened.set(path, opened);
    return opened;
  }

  async close(): Promise<void> {
    const opened = await Promise.allSettled(this.#opened.values());
    for (const one of opened) if (one.status === 'fulfilled') await one.value.close();
  }
}

/** Closes them when the work is done. */
export async function withOtherLogs<Result>(work: (others: OtherLogs) => Promise<Result>): Promise<Result> {
  const others = new OtherLogs();
  return work(others).finally(() => others.close());
}

interface Named {
  readonly run: string;
  /** The address of a log. */
  readonly store: string;
  /** The file that it was in. */
  readonly storeFile?: string | undefined;
}

interface Logs {
  /** The log of the process that asks. */
  readonly log: Log | null;
  /** The default log of the project that the worktree lies in: the path of a file. */
  readonly beside: string;
  readonly others: OtherLogs;
}

/**
 * Looks for the run of a record: in the log given, then in the one that the record names, then in that of the project.
 * The paths in a record are those of its time: a project may have been moved since, and another log may lie there.
 */
export async function knownRun(named: Named, logs: Logs): Promise<KnownRun> {
  const known = await knownWhereNamed(named, logs);
  const { store, storeFile } = named;
  if (known.kind !== 'unknown_run' || storeFile === undefined || storeFile === fileOf(store)) return known;
  return { kind: 'lost_log', store };
}

async function knownWhereNamed({ run, store }: Named, { log, beside, others }: Logs): Promise<KnownRun> {
  const here = log && (await knownIn(log, run));
  if (here?.kind === 'known') return here;
  if (log && addressOf(log) === store) return { kind: 'unknown_run' };
  if (store === MEMORY) return { kind: 'no_log' };
  if (!isFileAddress(store)) return { kind: 'unreadable', reason: `it is at ${store}` };
  const named = await knownAt(store, run, others);
  if (named !== null) return named;
  const project = beside === store || (log && addressOf(log) === beside) ? null : await knownAt(beside, run, others);
  return project === null || project.kind === 'unknown_run' ? { kind: 'lost_log', store } : project;
}

/**
 * The same for a worktree without a record, which has the name of the run that it was made for. Both logs are asked.
 */
export async function knownByName(top: string, { log, beside, others }: Logs): Promise<KnownRun> {
  const run = basename(top);
  if (!isUuid(run)) return { kind: 'no_log' };
  const here = log && (await knownIn(log, run, top));
  if (here?.kind === 'known') return here;
  if (log && addressOf(log) === beside) return { kind: 'unknown_run' };
  return (await knownAt(beside, run, others, top)) ?? here ?? { kind: 'no_log' };
}

/** Null: there is no such file. */
async function knownAt(store: string, run: string, others: OtherLogs, rebuilds?: string): Promise<KnownRun | null> {
  const found = await stat(store).catch((error: NodeJS.ErrnoException) => error.code);
  if (found === 'ENOENT' || found === 'ENOTDIR') return null;
  try {
    return await knownIn(await others.open(store), run, rebuilds);
  } catch (error) {
    return { kind: 'unreadable', reason: error instanceof Error ? error.message : String(error) };
  }
}

/** `rebuilds`: the worktree whose record is to be made again. */
async function knownIn(log: Log, run: string, rebuilds?: string): Promise<KnownRun> {
  const record = await log.run(run);
  if (!record) return { kind: 'unknown_run' };
  // An ending may have been written by hand: what may still be needed is kept.
  const verified = record.closed === null ? null : await log.verify(run);
  if (verified?.kind === 'broken')
    return { kind: 'unreadable', reason: `run ${run} is damaged at version ${verified.version}: ${verified.reason}` };
  const later = record.closed === null ? [] : continuationsOf(run, await log.runs());
  const newest = later.at(-1) ?? record;
  const isContinued = later.some(({ closed }) => closed === null);
  const updatedMs = Math.max(...[record, ...later].map(({ updatedAt }) => Date.parse(updatedAt)));
  const known = { kind: 'known', isClosed: record.closed !== null, isContinued, updatedMs } as const;
  if (rebuilds === undefined) return known;
  const isolation = (await readSettings(log, newest.run))?.isolation;
  if (isolation?.top !== rebuilds) return { ...known, rebuilt: null };
  return { ...known, rebuilt: { ...runRecord(log, newest.run, isolation), since: newest.updatedAt } };
}

/** The runs that continue a run, and those that continue these, the newest last. */
function continuationsOf(run: string, runs: readonly RunRecord[]): readonly RunRecord[] {
  const next = runs.filter(({ forkedFrom }) => forkedFrom?.run === run);
  return next
    .flatMap((one) => [one, ...continuationsOf(one.run, runs)])
    .toSorted((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt));
}
