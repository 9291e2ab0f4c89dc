import type { RunRecord } from '../../log/event-store.ts';
import type { Log } from '../../log/log.ts';
import { findRun, type RunReference } from './find-run.ts';
import type { Otherwise } from './own-loops.ts';

/** The runs whose own loops are to be loaded, and what to do when a module cannot be loaded. */
export interface OwnLoopsOf {
  /** `newest`: that many, as `runs` lists them. */
  readonly runs: readonly RunReference[] | { readonly newest: number } | 'all';
  readonly otherwise: Otherwise;
  /** A command to a run that has ended needs no loop, nor does one that the process which owns the run carries out. */
  readonly unlessOwned?: boolean;
}

/** The records of these runs, and of the runs of the same trees. */
export async function runsToLoad(log: Log, { runs, unlessOwned = false }: OwnLoopsOf): Promise<readonly RunRecord[]> {
  if (Array.isArray(runs) && runs.length === 0) return [];
  if (runs === 'all') return log.runs();
  const asked = 'newest' in runs ? (await log.newest(runs.newest)).runs : await found(log, runs);
  const loaded = unlessOwned ? await withoutOwner(log, asked) : asked;
  const roots = new Set(loaded.map(({ root }) => root));
  return (await Promise.all([...roots].map((root) => log.tree(root)))).flat();
}

/** An unknown run is reported by the caller that asks for it. */
async function found(log: Log, runs: readonly RunReference[]): Promise<readonly RunRecord[]> {
  const records = await Promise.all(runs.map((run) => findRun(log, run).catch(() => null)));
  return records.filter((record) => record !== null);
}

async function withoutOwner(log: Log, records: readonly RunRecord[]): Promise<readonly RunRecord[]> {
  const owned = await Promise.all(records.map(async ({ root, closed }) => closed !== null || (await log.holder(root))));
  return records.filter((_, index) => !owned[index]);
}
