import { join } from 'node:path';
import type { Log } from '../../src/log/log.ts';
import { openSqliteLog } from '../../src/log/sqlite/engine.ts';
import { checkLog } from '../../src/replay/check-log.ts';
import { cpuMicroseconds, type Figure, median, repeated } from './measure.ts';
import { loopsOf, turn } from './turns.ts';

const EVENTS = 200;
const EVENTS_PER_STEP = 5;
const RUNS = 100;
const LONG_EVENTS = 20_000;
const REPEATS = 5;

/** What it takes to check the runs of a SQLite log: each chain, and its replay against marks and stored states. */
export async function checkFigures(): Promise<Figure[]> {
  const [chains = 0] = await repeated(1, (folder) => chainsOf(join(folder, 'log.db')));
  const [short = 0] = await repeated(1, (folder) => measure(join(folder, 'log.db'), RUNS, EVENTS));
  const [long = 0] = await repeated(1, (folder) => measure(join(folder, 'log.db'), 1, LONG_EVENTS));
  return [
    {
      name: `the chains of ${RUNS} runs of ${EVENTS} events`,
      value: chains,
      unit: 'events/CPU s',
      bound: { atLeast: 50_000 },
      absolute: true,
    },
    {
      name: `check of ${RUNS} runs of ${EVENTS} events`,
      value: short,
      unit: 'events/CPU s',
      bound: { atLeast: 60_000 },
      absolute: true,
    },
    {
      name: `check of a run of ${LONG_EVENTS} events`,
      value: long,
      unit: 'events/CPU s',
      bound: { atLeast: 60_000 },
      absolute: true,
    },
  ];
}

async function recorded(path: string, runs: number, events: number): Promise<Log> {
  const log = openSqliteLog(path, { synchronous: 'NORMAL' });
  const steps = events / EVENTS_PER_STEP;
  const loops = loopsOf(log, steps);
  for (let n = 0; n < runs; n += 1) await turn(loops, steps);
  return log;
}

/** Events whose hashes are computed again, a second. */
async function chainsOf(path: string): Promise<number> {
  const log = await recorded(path, RUNS, EVENTS);
  const runs = await log.runs();
  const rates: number[] = [];
  for (let n = 0; n <= REPEATS; n += 1) {
    let verified = 0;
    const microseconds = await cpuMicroseconds(async () => {
      for (const { run } of runs) {
        const result = await log.verify(run);
        if (result.kind !== 'intact') throw new Error(`${run}: ${result.kind}`);
        verified += result.version;
      }
    });
    if (n > 0) rates.push((verified / microseconds) * 1e6);
  }
  await log.close();
  return median(rates);
}

async function measure(path: string, runs: number, events: number): Promise<number> {
  const log = await recorded(path, runs, events);
  const rates: number[] = [];
  for (let n = 0; n <= REPEATS; n += 1) {
    let checked = 0;
    const microseconds = await cpuMicroseconds(async () => {
      for await (const replayed of checkLog(log)) {
        if (replayed.kind !== 'same' || replayed.compared < replayed.events)
          throw new Error(`${replayed.run}: ${replayed.kind}`);
        checked += replayed.events;
      }
    });
    // The first is for the machine to warm up.
    if (n > 0) rates.push((checked / microseconds) * 1e6);
  }
  await log.close();
  return median(rates);
}
