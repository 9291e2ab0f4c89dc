import { join } from 'node:path';
import { thisProcess } from '../../src/log/holder.ts';
import type { Log } from '../../src/log/log.ts';
import { openSqliteLog } from '../../src/log/sqlite/engine.ts';
import { cpuMicroseconds, type Figure, median, repeated } from './measure.ts';

const RUNS = 10_000;
const EVENTS = 5;
/** Runs that are written in one commit. */
const AT_ONCE = 200;
const REPEATS = 7;

/** What it takes to open a store of many runs, the heads beside it compared with the runs inside. */
export async function openingFigures(): Promise<Figure[]> {
  const [milliseconds = 0] = await repeated(1, (folder) => measure(join(folder, 'log.db')));
  return [
    {
      name: `opening a store of ${RUNS} runs`,
      value: milliseconds,
      unit: 'CPU ms',
      bound: { atMost: 200 },
      absolute: true,
    },
  ];
}

async function measure(path: string): Promise<number> {
  const written = openSqliteLog(path, { synchronous: 'NORMAL' });
  for (let n = 0; n < RUNS; n += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => write(written, `run-${n + index}`)));
  await written.close();
  const taken: number[] = [];
  for (let n = 0; n < REPEATS; n += 1) {
    const opened: Log[] = [];
    taken.push(await cpuMicroseconds(async () => opened.push(openSqliteLog(path))));
    for (const log of opened) await log.close();
  }
  return median(taken) / 1_000;
}

async function write(log: Log, run: string): Promise<void> {
  const taken = await log.acquire(run, thisProcess());
  if (taken.kind !== 'leased') throw new Error(`${run} is held`);
  const events = Array.from({ length: EVENTS }, (_, index) => ({
    type: 'tool.completed',
    schema: 1,
    payload: { index, text: 'x'.repeat(200) },
    at: '2026-03-01T12:00:00.000Z',
    causation: null,
    mark: null,
  }));
  await log.append({ run, events, expectedVersion: 0, epoch: taken.lease.epoch });
}
