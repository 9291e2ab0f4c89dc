import { thisProcess } from '../../src/log/holder.ts';
import type { Log } from '../../src/log/log.ts';
import { openPostgresLog } from '../../src/log/postgres/open-postgres-log.ts';
import { startPostgres, withoutPostgres } from '../support/postgres.ts';
import type { Figure } from './measure.ts';

const WORKERS = 8;
const DUE = 2_000;

/** Claims of many workers over many due runs: each run once, and how long a claim takes. */
export async function claimingFigures(): Promise<readonly Figure[]> {
  if (withoutPostgres) return [];
  const server = await startPostgres(true);
  try {
    const logs = await Promise.all(Array.from({ length: WORKERS }, () => openPostgresLog(server.url('claims'))));
    const [first] = logs;
    const runs = Array.from({ length: DUE }, (_, index) => `run${index}`);
    await Promise.all(runs.map((run) => first?.submit({ run, task: { prompt: run }, limit: null, notBefore: null })));
    const start = performance.now();
    const claimed = (await Promise.all(logs.map((log) => claimAll(log)))).flat();
    const milliseconds = performance.now() - start;
    await Promise.all(logs.map((log) => log.close()));
    const twice = claimed.length - new Set(claimed).size;
    return [
      { name: `${DUE} due runs, ${WORKERS} workers: claimed twice`, value: twice, unit: 'runs', bound: { atMost: 0 } },
      { name: 'forgotten', value: DUE - new Set(claimed).size, unit: 'runs', bound: { atMost: 0 } },
      { name: 'a claim, of all workers together', value: milliseconds / DUE, unit: 'ms', bound: null },
    ];
  } finally {
    await server.stop();
  }
}

async function claimAll(log: Log): Promise<readonly string[]> {
  const claimed: string[] = [];
  for (;;) {
    const one = await log.claim({ by: thisProcess(), except: [] });
    if (!one) return claimed;
    claimed.push(one.submission.run);
  }
}
