import { join } from 'node:path';
import type { Log } from '../../src/log/log.ts';
import { openSqliteLog } from '../../src/log/sqlite/engine.ts';
import { rebuild } from '../../src/runtime/load-run.ts';
import { cpuMicroseconds, type Figure, median, repeated, wallSeconds } from './measure.ts';
import { loopsOf, turn } from './turns.ts';

const LENGTHS = [1_000, 10_000, 100_000];
const EVENTS_PER_STEP = 5;
const REPEATS = 5;

/** What it takes to fold a run from its first event, and from its newest stored snapshot. */
export async function rebuildFigures(): Promise<Figure[]> {
  const figures: Figure[] = [];
  const perEvent: number[] = [];
  for (const length of LENGTHS) {
    const [measured] = await repeated(1, (folder) => measure(join(folder, 'log.db'), length));
    if (!measured) continue;
    perEvent.push(measured.perEvent);
    figures.push(
      {
        name: `rebuild of ${length} events`,
        value: measured.perEvent,
        unit: 'µs CPU/event',
        bound: { atMost: 5 },
        absolute: true,
      },
      { name: `the same from a snapshot`, value: measured.cachedMs, unit: 'ms', bound: { atMost: 20 }, absolute: true },
    );
  }
  const [shortest = 1] = perEvent;
  const growth = (perEvent.at(-1) ?? 0) / shortest;
  return [
    ...figures,
    { name: 'an event of the longest, of the shortest', value: growth, unit: '×', bound: { atMost: 2 } },
  ];
}

async function measure(path: string, events: number) {
  const log = openSqliteLog(path, { synchronous: 'NORMAL' });
  const steps = Math.round(events / EVENTS_PER_STEP);
  const run = await turn(loopsOf(log, steps), steps);
  const length = (await log.run(run))?.version ?? 0;
  await rebuild(uncached(log), run);
  const cold: number[] = [];
  const cached: number[] = [];
  for (let n = 0; n < REPEATS; n += 1) {
    cold.push((await cpuMicroseconds(() => folded(uncached(log), run, length))) / length);
    cached.push(1000 * (await wallSeconds(() => folded(log, run, length))));
  }
  await log.close();
  return { perEvent: median(cold), cachedMs: median(cached) };
}

const uncached = (log: Log): Log =>
  new Proxy(log, { get: (target, key) => (key === 'latestSnapshot' ? async () => null : bound(target, key)) });

function bound(target: Log, key: string | symbol): unknown {
  const value: unknown = Reflect.get(target, key);
  return typeof value === 'function' ? value.bind(target) : value;
}

async function folded(log: Log, run: string, version: number): Promise<void> {
  const rebuilt = await rebuild(log, run);
  if (rebuilt.kind !== 'loaded' || rebuilt.state.version !== version)
    throw new Error(`${run} was not rebuilt: ${rebuilt.kind}`);
}
