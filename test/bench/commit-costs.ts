import { join } from 'node:path';
import { openSqliteLog } from '../../src/log/sqlite/engine.ts';
import { costs, interleaved, type Lane } from './blocks.ts';
import { COMMITS_A_STEP } from './commit-ratio.ts';
import { estimate } from './interval.ts';
import { median } from './measure.ts';
import type { CommitCost } from './measured-commit.ts';
import { RawLoop, type Row, rowsOf } from './raw-loop.ts';
import { loopsOf, turn } from './turns.ts';

/** CPU work between one commit and the next. */
const WORK_MICROSECONDS = [0, 50, 100, 200, 300, 500, 750, 1000, 1500, 2000];
const STEPS = 20;
const WARM_ROUNDS = 5;
const ROUNDS = 30;

/**
 * The cost of a durable commit against the CPU work since the last one: of the raw loop, with the rows of one turn, at
 * `synchronous=FULL`, warm; once into a write-ahead log that is written again from its start, and once into one that
 * grows.
 */
export async function measureCommits(folder: string): Promise<readonly CommitCost[]> {
  const rows = await rowsOfATurn(join(folder, 'log.db'));
  const raws: RawLoop[] = [];
  const lanes = (['reused', 'growing'] as const).flatMap((wal) => {
    const raw = new RawLoop(join(folder, `${wal}.db`), { isGrowing: wal === 'growing' });
    raws.push(raw);
    return WORK_MICROSECONDS.map((work) => ({ wal, work, lane: laneOf(`${wal} ${work}`, raw, rows, work) }));
  });
  const blocks = await interleaved(
    lanes.map(({ lane }) => lane),
    { warm: WARM_ROUNDS, rounds: ROUNDS },
  );
  for (const raw of raws) raw.close();
  return lanes.map(({ wal, work, lane }) => {
    const measured = blocks[lane.name] ?? [];
    const each = measured.map(({ units, seconds }) => (seconds * 1_000_000) / units - work);
    return { wal, workMicroseconds: work, ...estimate(each), cpu: Math.max(0, median(costs(measured)) - work) };
  });
}

async function rowsOfATurn(path: string): Promise<readonly Row[]> {
  const log = openSqliteLog(path);
  await turn(loopsOf(log, STEPS), STEPS);
  await log.close();
  return rowsOf(path);
}

const COMMITS = Math.round(COMMITS_A_STEP * STEPS);

const laneOf = (name: string, raw: RawLoop, rows: readonly Row[], workMicroseconds: number): Lane => ({
  name,
  work: async () => {
    raw.write(rows, 1, COMMITS, () => busyFor(workMicroseconds));
    return COMMITS;
  },
});

/** Occupies a core for so long, as the work of a step does: the thread waits for nothing. */
function busyFor(microseconds: number): void {
  const until = performance.now() + microseconds / 1000;
  while (performance.now() < until);
}
