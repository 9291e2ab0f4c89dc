import { join } from 'node:path';
import type { Log } from '../../src/log/log.ts';
import { openSqliteLog } from '../../src/log/sqlite/engine.ts';
import { type Figure, heapMegabytes, median, repeated } from './measure.ts';
import { loopsOf, turn } from './turns.ts';

const STEPS = 10_000;
/** Appends at each end whose cost is compared. One that grew with the run would cost many times as much at the end. */
const SAMPLE = 2_000;

/** A turn of ten thousand steps costs at its end what it cost at its beginning, and leaves nothing behind. */
export async function longTurnFigures(): Promise<Figure[]> {
  const [measured] = await repeated(1, (folder) => measure(join(folder, 'log.db')));
  if (!measured) return [];
  return [
    { name: `heap grown by ${STEPS} steps`, value: measured.grownMegabytes, unit: 'MB', bound: { atMost: 20 } },
    {
      name: 'an append at the end, of one at the beginning',
      value: measured.appendRatio,
      unit: '×',
      bound: { atMost: 2 },
    },
  ];
}

async function measure(path: string) {
  const log = openSqliteLog(path, { synchronous: 'NORMAL' });
  await turn(loopsOf(log, 200), 200);
  const before = heapMegabytes();
  let grown = 0;
  const durations: number[] = [];
  const timed = timing(log, durations, async (appends) => {
    // Just before the end, while all of the run is still held.
    if (appends === 2 * STEPS - 2) grown = heapMegabytes() - before;
  });
  await turn(loopsOf(timed, STEPS), STEPS);
  await log.close();
  const appendRatio = median(durations.slice(-SAMPLE)) / median(durations.slice(SAMPLE, 2 * SAMPLE));
  return { grownMegabytes: grown, appendRatio };
}

function timing(log: Log, durations: number[], after: (appends: number) => Promise<void>): Log {
  return new Proxy(log, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      if (typeof value !== 'function') return value;
      if (key !== 'append') return value.bind(target);
      return async (request: Parameters<Log['append']>[0]) => {
        const start = performance.now();
        const result = await target.append(request);
        durations.push(performance.now() - start);
        await after(durations.length);
        return result;
      };
    },
  });
}
