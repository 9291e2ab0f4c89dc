import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { costs, interleaved, type Lane } from './blocks.ts';
import { estimate } from './interval.ts';
import { median } from './measure.ts';

/** CPU work between one commit and the next. */
const WORK_MICROSECONDS = [0, 50, 100, 200, 300, 500, 750, 1000, 1500, 2000];
/** As a block of a step has them: it is measured as one, with its share of checkpoints. */
const COMMITS = 25;
/** About what a step writes in one commit. */
const ROW_BYTES = 700;
const WARM_ROUNDS = 5;
const ROUNDS = 30;

/** What a commit costs after so much CPU work, in microseconds of the clock. */
export const CommitCost = z.strictObject({
  wal: z.enum(['reused', 'growing']),
  workMicroseconds: z.number().nonnegative(),
  value: z.number().positive(),
  low: z.number().positive(),
  high: z.number().positive(),
  /** Of it, CPU time of our process. */
  cpu: z.number().nonnegative(),
});
export type CommitCost = z.infer<typeof CommitCost>;

/**
 * The cost of a durable commit against the CPU work since the last one: at `synchronous=FULL`, warm, once into a
 * write-ahead log that is written again from its start, and once into one that grows.
 */
export async function measureCommits(folder: string): Promise<readonly CommitCost[]> {
  const lanes = (['reused', 'growing'] as const).flatMap((wal) => {
    const commit = committing(join(folder, `${wal}.db`), wal);
    return WORK_MICROSECONDS.map((work) => ({ wal, work, lane: laneOf(`${wal} ${work}`, commit, work) }));
  });
  const blocks = await interleaved(
    lanes.map(({ lane }) => lane),
    { warm: WARM_ROUNDS, rounds: ROUNDS },
  );
  return lanes.map(({ wal, work, lane }) => {
    const measured = blocks[lane.name] ?? [];
    const each = measured.map(({ units, seconds }) => (seconds * 1_000_000) / units - work);
    return { wal, workMicroseconds: work, ...estimate(each), cpu: Math.max(0, median(costs(measured)) - work) };
  });
}

function laneOf(name: string, commit: () => void, workMicroseconds: number): Lane {
  return {
    name,
    work: async () => {
      for (let n = 0; n < COMMITS; n += 1) {
        busyFor(workMicroseconds);
        commit();
      }
      return COMMITS;
    },
  };
}

function committing(path: string, wal: CommitCost['wal']): () => void {
  const db = new DatabaseSync(path);
  db.exec(
    'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE rows (key INTEGER PRIMARY KEY, row BLOB)',
  );
  // Without checkpoints, every commit makes the file longer.
  if (wal === 'growing') db.exec('PRAGMA wal_autocheckpoint = 0');
  const insert = db.prepare('INSERT INTO rows (row) VALUES (?)');
  const row = randomBytes(ROW_BYTES);
  return () => {
    insert.run(row);
  };
}

/** Occupies a core for so long, as the work of a step does: the thread waits for nothing. */
function busyFor(microseconds: number): void {
  const until = performance.now() + microseconds / 1000;
  while (performance.now() < until);
}
