import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openSqliteLog } from '../../src/log/sqlite/log.ts';
import { type Figure, median, repeated, wallSeconds } from './measure.ts';
import { countingCommits, loopsOf, turn } from './turns.ts';

const STEPS = 20;
const TURNS = 100;
const AT_ONCE = 50;
const REPEATS = 5;

/** Durable steps a second, beside a loop that appends the same bytes in as many transactions and does nothing else. */
export async function stepFigures(): Promise<Figure[]> {
  const rounds = await repeated(REPEATS, async (folder) => {
    const alone = await durable(join(folder, 'alone.db'), 1);
    const together = await durable(join(folder, 'together.db'), AT_ONCE);
    const raw = await rawLoop(join(folder, 'raw.db'), alone);
    return { alone, together, raw };
  });
  const of = (pick: (round: (typeof rounds)[number]) => number) => median(rounds.map(pick));
  return [
    { name: 'durable steps/s, in sequence', value: of(({ alone }) => alone.perSecond), unit: 'steps/s', bound: null },
    { name: 'the raw loop', value: of(({ raw }) => raw), unit: 'steps/s', bound: null },
    { name: 'in sequence, of the raw loop', value: of(({ alone, raw }) => alone.perSecond / raw), unit: '×', bound: { atLeast: 0.5 } },
    { name: `durable steps/s, ${AT_ONCE} at once`, value: of(({ together }) => together.perSecond), unit: 'steps/s', bound: null },
    {
      name: `${AT_ONCE} at once, of our sequence`,
      value: of(({ alone, together }) => together.perSecond / alone.perSecond),
      unit: '×',
      bound: { atLeast: 1.8 },
    },
    { name: 'commits a step, in sequence', value: of(({ alone }) => alone.commitsPerStep), unit: '', bound: { atMost: 2.1 } },
    { name: `commits a step, ${AT_ONCE} at once`, value: of(({ together }) => together.commitsPerStep), unit: '', bound: { atMost: 0.3 } },
    { name: 'kilobytes a step, checkpointed', value: of(({ alone }) => alone.bytesPerStep / 1000), unit: 'kB', bound: { atMost: 3 } },
  ];
}

interface Durable {
  readonly perSecond: number;
  readonly commitsPerStep: number;
  readonly bytesPerStep: number;
  /** Bytes that one transaction appended, on average. */
  readonly bytesPerCommit: number;
  readonly commits: number;
}

async function durable(path: string, atOnce: number): Promise<Durable> {
  const log = countingCommits(() => openSqliteLog(path));
  const loops = loopsOf(log, STEPS);
  await turn(loops, STEPS);
  const [commitsBefore, bytesBefore] = [log.commits(), await contentBytes(path)];
  let started = 0;
  const lane = async () => {
    while (started < TURNS) {
      started += 1;
      await turn(loops, STEPS);
    }
  };
  const seconds = await wallSeconds(() => Promise.all(Array.from({ length: atOnce }, lane)));
  const commits = log.commits() - commitsBefore;
  const content = (await contentBytes(path)) - bytesBefore;
  await log.close();
  const steps = TURNS * STEPS;
  return {
    perSecond: steps / seconds,
    commitsPerStep: commits / steps,
    bytesPerStep: statSync(path).size / (steps + STEPS),
    bytesPerCommit: content / commits,
    commits,
  };
}

/** What the events hold, without the pages around them. */
async function contentBytes(path: string): Promise<number> {
  const db = new DatabaseSync(path, { readOnly: true });
  const row = db.prepare('SELECT sum(length(payload) + length(hash) + length(salt) + 40) AS bytes FROM events').get();
  db.close();
  return Number(row?.['bytes'] ?? 0);
}

async function rawLoop(path: string, { commits, bytesPerCommit }: Durable): Promise<number> {
  const db = new DatabaseSync(path);
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE events (position INTEGER PRIMARY KEY, payload TEXT)');
  const insert = db.prepare('INSERT INTO events (payload) VALUES (?)');
  const payload = 'x'.repeat(Math.round(bytesPerCommit));
  const seconds = await wallSeconds(() => {
    for (let n = 0; n < commits; n += 1) {
      db.exec('BEGIN IMMEDIATE');
      insert.run(payload);
      db.exec('COMMIT');
    }
  });
  db.close();
  return (TURNS * STEPS) / seconds;
}
