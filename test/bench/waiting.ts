import { join } from 'node:path';
import { setTimeout as passed } from 'node:timers/promises';
import { KeptRuns } from '../../src/app/kept/run-cache.ts';
import { openSqliteLog } from '../../src/log/sqlite/engine.ts';
import { type Figure, heapMegabytes, repeated, wallSeconds } from './measure.ts';
import { askingLoops, startAsking, waitingStore } from './waiting-store.ts';

const RUNS = 10_000;
/** So many of them were live in this process before. */
const LIVE = 200;
const AT_ONCE = 20;
const WATCHED_MS = 10_000;
const LOOK_MS = 50;

/** What a process pays that keeps ten thousand runs which wait for people. */
export async function waitingFigures(): Promise<Figure[]> {
  const [figures = []] = await repeated(1, (folder) => measure(folder));
  return figures;
}

async function measure(folder: string): Promise<Figure[]> {
  const path = join(folder, 'log.db');
  const waiting = await waitingStore(path, folder, RUNS - LIVE);
  const log = openSqliteLog(path, { synchronous: 'NORMAL' });
  const loops = askingLoops(log);
  const before = { heap: heapMegabytes(), rss: process.memoryUsage().rss };
  const kept = new KeptRuns(loops, { leaveAfterMs: 0 });
  for (const run of waiting) kept.keepWaiting(run);
  for (let n = 0; n < LIVE; n += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, async () => kept.keep(await startAsking(loops, folder))));
  while (kept.size.away < RUNS) await passed(LOOK_MS);
  // All of them are looked at once when they come.
  await passed(WATCHED_MS);
  const memory = { heap: heapMegabytes(), rss: process.memoryUsage().rss };
  const used = process.cpuUsage();
  await passed(WATCHED_MS);
  const { user, system } = process.cpuUsage(used);
  const back = await wallSeconds(async () => {
    const [run = ''] = waiting;
    const { done } = kept.keepWaiting(run);
    await loops.answer(run, { text: 'the first' });
    const end = await done;
    if (end.kind !== 'ended' || end.outcome.ending !== 'success') throw new Error(`${run}: ${end.kind}`);
  });
  kept.stop();
  await log.close();
  const megabytes = (bytes: number) => bytes / 1e6;
  return [
    {
      name: `${RUNS} runs that wait: CPU of a core`,
      value: (user + system) / 10 / WATCHED_MS,
      unit: '%',
      bound: { atMost: 1 },
      absolute: true,
    },
    {
      name: 'memory that they add to a process',
      value: megabytes(memory.rss - before.rss),
      unit: 'MB',
      bound: { atMost: 300 },
    },
    { name: 'of that in use', value: memory.heap - before.heap, unit: 'MB', bound: { atMost: 60 } },
    { name: 'from an answer to the end of its run', value: 1000 * back, unit: 'ms', bound: { atMost: 2_000 } },
  ];
}
