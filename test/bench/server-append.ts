import type pg from 'pg';
import type { NewEvent } from '../../src/log/envelope.ts';
import { openPostgresLog } from '../../src/log/postgres/open-postgres-log.ts';
import type { Log } from '../../src/log/log.ts';
import { thisProcess } from '../../src/log/holder.ts';
import { startPostgres, type TestServer, withoutPostgres } from '../support/postgres.ts';
import { type Figure, median } from './measure.ts';

/** Runs whose appends share a statement, and the events of each. */
const RUNS = 16;
const EVENTS = 2;
const STATEMENTS = 60;
const ROUNDS = 5;
const PAYLOAD_CHARS = 900;
const WANTED = 0.6;

const SCHEMA = 'bench';
const FLOOR = `CREATE TABLE IF NOT EXISTS floor (
  position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  run text, version int, type text, at bigint, payload text, hash bytea)`;
const INSERT = `INSERT INTO floor (run, version, type, at, payload, hash)
  SELECT r, v, 'note.taken', 1, p, decode(h, 'hex')
  FROM unnest($1::text[], $2::int[], $3::text[], $4::text[]) AS t(r, v, p, h)`;

const payload = { text: 'x'.repeat(PAYLOAD_CHARS) };
const event: NewEvent = {
  type: 'note.taken',
  schema: 1,
  payload,
  at: '2026-03-01T12:00:00.000Z',
  causation: null,
  mark: null,
};

/**
 * Appends on a server, whole, against a bare INSERT of as many rows a statement: synced commits, interleaved rounds of
 * one run of the program.
 */
export async function serverAppendFigures(): Promise<readonly Figure[]> {
  if (withoutPostgres) return [];
  const server = await startPostgres(true);
  try {
    const figures: Figure[] = [];
    for (const writers of [1, 4]) figures.push(await ratioOf(server, writers));
    return figures;
  } finally {
    await server.stop();
  }
}

async function ratioOf(server: TestServer, writers: number): Promise<Figure> {
  const logs = await Promise.all(Array.from({ length: writers }, () => openPostgresLog(server.url(SCHEMA))));
  const clients = await Promise.all(Array.from({ length: writers }, () => server.connect()));
  await clients[0]?.query(FLOOR);
  const streams = await Promise.all(logs.map((log, index) => Stream.open(log, `w${writers}-${index}`)));
  const ratios: number[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const floor = await secondsOf(clients.map((client) => () => insert(client, round)));
    const whole = await secondsOf(streams.map((stream) => () => stream.append()));
    // The first round warms both.
    if (round > 0) ratios.push(floor / whole);
  }
  await Promise.all([...logs.map((log) => log.close()), ...clients.map((client) => client.end())]);
  return {
    name: `append, of a bare INSERT of as many rows, synced, ${writers} writing`,
    value: median(ratios),
    unit: 'of the floor',
    bound: { atLeast: WANTED },
  };
}

/** Runs of one writer, which grow together. */
class Stream {
  readonly #log: Log;
  readonly #runs: readonly { readonly run: string; readonly epoch: number }[];
  #version = 0;

  private constructor(log: Log, runs: readonly { readonly run: string; readonly epoch: number }[]) {
    this.#log = log;
    this.#runs = runs;
  }

  static async open(log: Log, name: string): Promise<Stream> {
    const runs = Array.from({ length: RUNS }, async (_, index) => {
      const run = `${name}-${index}`;
      const taken = await log.acquire(run, thisProcess());
      if (taken.kind !== 'leased') throw new Error(`${run} is held`);
      return { run, epoch: taken.lease.epoch };
    });
    return new Stream(log, await Promise.all(runs));
  }

  async append(): Promise<void> {
    const events = Array.from({ length: EVENTS }, () => event);
    for (let statement = 0; statement < STATEMENTS; statement += 1) {
      const appended = this.#runs.map((run) => this.#log.append({ ...run, events, expectedVersion: this.#version }));
      for (const { kind } of await Promise.all(appended)) if (kind !== 'appended') throw new Error(kind);
      this.#version += EVENTS;
    }
  }
}

async function insert(client: pg.Client, round: number): Promise<void> {
  const rows = Array.from({ length: RUNS * EVENTS }, (_, index) => index);
  const columns = [
    rows.map((index) => `run${index % RUNS}`),
    rows.map((index) => round * EVENTS + index),
    rows.map(() => JSON.stringify(payload)),
    rows.map(() => 'ab'.repeat(32)),
  ];
  for (let statement = 0; statement < STATEMENTS; statement += 1)
    await client.query({ name: 'floor', text: INSERT, values: columns });
}

async function secondsOf(work: readonly (() => Promise<void>)[]): Promise<number> {
  const start = performance.now();
  await Promise.all(work.map((one) => one()));
  return (performance.now() - start) / 1_000;
}
