import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import { openSqliteLog } from '../../src/log/sqlite/engine.ts';
import { SCHEMA } from '../../src/log/sqlite/schema.ts';
import { cpuMicroseconds, type Figure, median, repeated, wallSeconds } from './measure.ts';
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
    {
      name: 'in sequence, of the raw loop',
      value: of(({ alone, raw }) => alone.perSecond / raw),
      unit: '×',
      bound: { atLeast: 0.5 },
    },
    { name: 'CPU a step, in sequence', value: of(({ alone }) => alone.cpuPerStep), unit: 'µs', bound: null },
    {
      name: `durable steps/s, ${AT_ONCE} at once`,
      value: of(({ together }) => together.perSecond),
      unit: 'steps/s',
      bound: null,
    },
    {
      name: `${AT_ONCE} at once, of our sequence`,
      value: of(({ alone, together }) => together.perSecond / alone.perSecond),
      unit: '×',
      bound: { atLeast: 1.8 },
    },
    {
      name: 'commits a step, in sequence',
      value: of(({ alone }) => alone.commitsPerStep),
      unit: '',
      bound: { atMost: 2.1 },
    },
    {
      name: `commits a step, ${AT_ONCE} at once`,
      value: of(({ together }) => together.commitsPerStep),
      unit: '',
      bound: { atMost: 0.3 },
    },
    {
      name: 'kilobytes a step, checkpointed',
      value: of(({ alone }) => alone.bytesPerStep / 1000),
      unit: 'kB',
      bound: { atMost: 3 },
    },
  ];
}

interface Durable {
  readonly perSecond: number;
  readonly cpuPerStep: number;
  readonly commitsPerStep: number;
  readonly bytesPerStep: number;
  /** What one turn left in the file. */
  readonly rows: readonly Row[];
}

type Row = readonly SQLOutputValue[];
const COLUMNS = 'version, type, schema, at, causation, epoch, payload, salt, digest, hash, mark';

async function durable(path: string, atOnce: number): Promise<Durable> {
  const log = countingCommits(() => openSqliteLog(path));
  const loops = loopsOf(log, STEPS);
  await turn(loops, STEPS);
  const commitsBefore = log.commits();
  let started = 0;
  const lane = async () => {
    while (started < TURNS) {
      started += 1;
      await turn(loops, STEPS);
    }
  };
  let seconds = 0;
  const cpu = await cpuMicroseconds(async () => {
    seconds = await wallSeconds(() => Promise.all(Array.from({ length: atOnce }, lane)));
  });
  const commits = log.commits() - commitsBefore;
  await log.close();
  const steps = TURNS * STEPS;
  return {
    perSecond: steps / seconds,
    cpuPerStep: cpu / steps,
    commitsPerStep: commits / steps,
    bytesPerStep: statSync(path).size / (steps + STEPS),
    rows: rowsOf(path),
  };
}

/** Every row of the newest turn, as it lies in the file. */
function rowsOf(path: string): readonly Row[] {
  const db = new DatabaseSync(path, { readOnly: true });
  const rows = db
    .prepare(`SELECT ${COLUMNS} FROM events WHERE run = (SELECT max(run) FROM events) ORDER BY version`)
    .all();
  db.close();
  return rows.map((row) => Object.values(row));
}

/** The same rows into the same kind of file, in as many transactions, and nothing else. */
async function rawLoop(path: string, { rows, commitsPerStep }: Durable): Promise<number> {
  const db = new DatabaseSync(path);
  db.exec(`${SCHEMA}; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL`);
  const insert = db.prepare(
    `INSERT INTO events (run, ${COLUMNS}) VALUES (?${', ?'.repeat(COLUMNS.split(',').length)})`,
  );
  const [begin, commit] = [db.prepare('BEGIN IMMEDIATE'), db.prepare('COMMIT')];
  const transactions = Math.round(commitsPerStep * STEPS);
  const seconds = await wallSeconds(() => {
    for (let run = 1; run <= TURNS; run += 1) {
      for (let n = 0; n < transactions; n += 1) {
        begin.run();
        for (const row of shareOf(rows, n, transactions)) insert.run(run, ...row);
        commit.run();
      }
    }
  });
  db.close();
  return (TURNS * STEPS) / seconds;
}

const shareOf = (rows: readonly Row[], n: number, of: number) =>
  rows.slice(Math.round((n * rows.length) / of), Math.round(((n + 1) * rows.length) / of));
