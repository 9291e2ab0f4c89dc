import { readFileSync } from 'node:fs';
import { thisProcess } from '../../src/log/holder.ts';
import type { Log } from '../../src/log/log.ts';
import type { Lease } from '../../src/log/lease-store.ts';
import { memoryLog } from '../../src/log/sqlite/engine.ts';
import { type History, readHistory as readLines } from '../../src/replay/history.ts';

export function readHistory(file: URL): History {
  const read = readLines(readFileSync(file, 'utf8'));
  if (read.kind === 'malformed') throw new Error(`${file.pathname}:${read.line}: ${read.because}`);
  return read.history;
}

/** A log that holds the runs of a history, and nothing else. */
export async function logOf({ runs, lines }: Pick<History, 'runs' | 'lines'>): Promise<Log> {
  const log = memoryLog();
  const leases = new Map<string, Lease>();
  for (const [index, { run, version, type, schema, payload, at, causation, mark = null }] of lines.entries()) {
    const known = runs.find((one) => one.run === run);
    const opened = await log.run(run);
    if (!opened && known?.forkedFrom) await log.fork({
      from: known.forkedFrom.run, at: known.forkedFrom.version, to: run,
    });
    const root = await rootOf(log, run, known?.parentEffect ?? null);
    const lease = leases.get(root) ?? (await taken(log, root));
    leases.set(root, lease);
    const isLast = !lines.slice(index + 1).some((line) => line.run === run);
    const result = await log.append({
      run,
      events: [{ type, schema, payload, at, causation, mark }],
      expectedVersion: version - 1,
      epoch: lease.epoch,
      ...(!opened && known?.parentEffect ? { parentEffect: known.parentEffect } : {}),
      ...(isLast && known?.closed ? { closes: known.closed } : {}),
    });
    if (result.kind !== 'appended') throw new Error(`${run}/${version}: ${JSON.stringify(result)}`);
  }
  for (const lease of leases.values()) await log.release(lease);
  return log;
}

async function rootOf(log: Log, run: string, parentEffect: string | null): Promise<string> {
  if (parentEffect === null) return run;
  const [parent = ''] = parentEffect.split('/');
  return (await log.run(parent))?.root ?? parent;
}

async function taken(log: Log, root: string): Promise<Lease> {
  const leased = await log.acquire(root, thisProcess());
  if (leased.kind !== 'leased') throw new Error(`${root} is held`);
  return leased.lease;
}
