import type pg from 'pg';
import type { NewEvent } from '../../src/log/envelope.ts';
import { openPostgresLog } from '../../src/log/postgres/open-postgres-log.ts';
import type { Log } from '../../src/log/log.ts';
import { thisProcess } from '../../src/log/holder.ts';
import { startPostgres, type TestServer, withoutPostgres } from '../support/postgres.ts';
import { SALT_BYTES } from '../../src/log/hash.ts';
import { type Figure, median } from './measure.ts';

/** Runs whose appends share a statement, and the events of each. */
const RUNS = 16;
const EVENTS = 2;
/** A shorter round is shorter than the making of one file of the server's journal. */
const STATEMENTS = 240;
const ROUNDS = 5;
const PAYLOAD_CHARS = 900;
const HASH_BYTES = 32;
const WANTED = 0.6;
/** What all rounds but the slowest reach. */
const WANTED_MOSTLY = 0.5;

const SCHEMA = 'bench';
/** The facts of an event, in a table that orders them by their positions alone. */
const FLOOR = `CREATE TABLE IF NOT EXISTS floor (
  position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, run text, version int, type text, schema int, at bigint,
  causation text, epoch int, payload text, salt bytea, hash bytea, mark text)`;
const INSERT = `INSERT INTO floor (run, version, type, schema, at, causation, epoch, payload, salt, hash, mark)
  SELECT run, version, type, schema, at, causation, epoch, payload, decode(salt, 'hex'), decode(hash, 'hex'), mark
  FROM unnest($1::text[], $2::int[], $3::text[], $4::int[], $5::bigint[], $6::text[], $7::int[], $8::text[],
    $9::text[], $10::text[], $11::text[])
    AS t(run, version, type, schema, at, causation, epoch, payload, salt, hash, mark)`;

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
 * Appends on a server, whole, against a bare INSERT of the same facts, as many rows a statement, over the same driver:
 * synced commits, interleaved rounds of one run of the program.
 */
export async function serverAppendFigures(): Promise<readonly Figure[]> {
  if (withoutPostgres) return [];
  const server = await startPostgres(true);
  try {
    const figures: Figure[] = [];
    for (const writers of [1, 4]) figures.push(...(await ratiosOf(server, writers)));
    return figures;
  } finally {
    await server.stop();
  }
}

async function ratiosOf(server: TestServer, writers: number): Promise<readonly Figure[]> {
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
  const name = `append, of a bare INSERT of as many rows, synced, ${writers} writing`;
  const unit = 'of the floor';
  const [, slow = 0] = ratios.toSorted((one, other) => one - other);
  return [
    { name, value: median(ratios), unit, bound: { atLeast: WANTED } },
    { name: `${name}, in ${ROUNDS - 1} of ${ROUNDS} rounds`, value: slow, unit, bound: { atLeast: WANTED_MOSTLY } },
  ];
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
    rows.map(() => event.type),
    rows.map(() => event.schema),
    rows.map(() => Date.parse(event.at)),
    rows.map(() => event.causation),
    rows.map(() => 1),
    rows.map(() => JSON.stringify(payload)),
    rows.map(() => 'cd'.repeat(SALT_BYTES)),
    rows.map(() => 'ab'.repeat(HASH_BYTES)),
    rows.map(() => event.mark),
  ];
  for (let statement = 0; statement < STATEMENTS; statement += 1)
    await client.query({ name: 'floor', text: INSERT, values: columns });
}

async function secondsOf(work: readonly (() => Promise<void>)[]): Promise<number> {
  const start = performance.now();
  await Promise.all(work.map((one) => one()));
  return (performance.now() - start) / 1_000;
}
