import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { catalogue } from '../../machines/index.ts';
import type { Recorded } from '../../machines/events.ts';
import type { Fact } from '../../src/kernel/effect-handlers.ts';
import { fold, open } from '../../src/kernel/fold.ts';
import type { Envelope } from '../../src/log/envelope.ts';
import { envelopeHash, payloadDigest } from '../../src/log/hash.ts';
import type { Log } from '../../src/log/log.ts';
import { openSqliteLog } from '../../src/log/sqlite/engine.ts';
import { builtInNames } from '../../src/redecide/other-judge.ts';
import { redecide } from '../../src/redecide/redecide-run.ts';
import { checkLog } from '../../src/replay/check-log.ts';
import { rebuild } from '../../src/runtime/load-run.ts';
import { factsOf } from '../redecide/recorded.ts';
import { cpuMicroseconds, type Figure, median, repeated } from './measure.ts';
import { loopsOf, turn } from './turns.ts';

const STEPS = 4_000;
const ROUNDS = 15;
const WARM_UP_ROUNDS = 3;
const PAGE_ROWS = 256;

/**
 * What the readers of a run cost, and beside it each of their parts alone, which no reader can do without: the rows out
 * of SQLite, the JSON, two hashes an event, the fold. All take turns in one process, so that a busy machine slows all
 * alike.
 */
export async function readingFigures(): Promise<Figure[]> {
  const [figures = []] = await repeated(1, (folder) => measure(join(folder, 'log.db')));
  return figures;
}

async function measure(path: string): Promise<Figure[]> {
  const log = openSqliteLog(path, { synchronous: 'NORMAL' });
  const run = await turn(loopsOf(log, STEPS), STEPS);
  const facts = await factsOf(log, run);
  const works = worksOf(log, run, facts, await storedOf(path, log, run));
  const times = works.map((): number[] => []);
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
    for (const [index, [, work]] of works.entries()) {
      const microseconds = await cpuMicroseconds(work);
      if (round >= 0) times[index]?.push(microseconds / facts.length);
    }
  }
  await log.close();
  return works.map(([name], index) => ({
    name,
    value: median(times[index] ?? []),
    unit: 'µs CPU/event',
    bound: null,
  }));
}

interface Stored {
  readonly bare: () => void;
  readonly whole: () => void;
  readonly texts: readonly string[];
  readonly envelopes: readonly Envelope[];
}

async function storedOf(path: string, log: Log, run: string): Promise<Stored> {
  const db = new DatabaseSync(path, { readOnly: true });
  const envelopes: Envelope[] = [];
  for await (const envelope of log.read(run, { salts: true })) envelopes.push(envelope);
  const texts = db
    .prepare('SELECT payload FROM events ORDER BY version')
    .all()
    .map(({ payload }) => String(payload));
  const bare = ['version', 'type', 'schema', 'at', 'causation', 'payload', 'mark', 'epoch'];
  const hashes = ['position', 'lower(hex(salt))', 'lower(hex(digest))', 'lower(hex(hash))'];
  return {
    bare: pagesOf(db, bare, envelopes.length),
    whole: pagesOf(db, [...bare, ...hashes], envelopes.length),
    texts,
    envelopes,
  };
}

function pagesOf(db: DatabaseSync, columns: readonly string[], events: number): () => void {
  const statement = db.prepare(
    `SELECT ${columns.join(', ')} FROM events WHERE run = 1 AND version BETWEEN ? AND ? ORDER BY version`,
  );
  statement.setReturnArrays(true);
  return () => {
    let rows = 0;
    for (let from = 1; from <= events; from += PAGE_ROWS) rows += statement.all(from, from + PAGE_ROWS - 1).length;
    if (rows !== events) throw new Error(`${rows} of ${events} rows were read`);
  };
}

type Work = readonly [name: string, work: () => Promise<unknown>];

function worksOf(log: Log, run: string, facts: readonly Fact[], stored: Stored): readonly Work[] {
  const { bare, whole, texts, envelopes } = stored;
  const names = builtInNames();
  const uncached: Log = { ...log, latestSnapshot: async () => null };
  return [
    ['rows with a payload and a position', async () => bare()],
    ['rows with their hashes, too', async () => whole()],
    ['the JSON of the payloads', async () => parsed(texts)],
    ['two hashes of each event', async () => hashed(envelopes, texts)],
    ['the fold', async () => folded(facts)],
    ['rebuild, all in all', () => rebuild(uncached, run)],
    ['check, all in all', () => checked(log)],
    ['redecide from facts, all in all', () => redecide(facts, { detectors: ['default'] }, names)],
  ];
}

function parsed(texts: readonly string[]): void {
  for (const text of texts) JSON.parse(text);
}

function hashed(envelopes: readonly Envelope[], texts: readonly string[]): void {
  let previous = '';
  for (const [index, envelope] of envelopes.entries()) {
    const digest = payloadDigest(Buffer.from(envelope.salt ?? '', 'hex'), texts[index] ?? '');
    const hash = envelopeHash(previous || '0'.repeat(64), envelope, digest);
    if (hash !== envelope.hash) throw new Error(`the hash of version ${envelope.version} is another one`);
    previous = hash;
  }
}

function folded([first, ...rest]: readonly Fact[]): void {
  const opened = open(first as Recorded<Extract<Fact, { type: 'run.started' }>>, catalogue);
  if (opened.kind !== 'opened') throw new Error('the run cannot be opened');
  let { state } = opened;
  for (const fact of rest) state = fold(state, fact as Recorded<Fact>);
}

async function checked(log: Log): Promise<void> {
  for await (const { kind } of checkLog(log)) if (kind !== 'same') throw new Error(kind);
}
