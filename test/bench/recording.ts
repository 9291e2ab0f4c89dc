import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { NewEvent } from '../../src/log/envelope.ts';
import { chain, START } from '../../src/log/chain.ts';
import { memoryLog } from '../../src/log/sqlite/engine.ts';
import { prepare } from '../../src/log/prepare-events.ts';
import { redactor } from '../../src/log/redact.ts';
import { secretsIn } from '../../src/log/secret-variables.ts';
import { SCHEMA } from '../../src/log/sqlite/schema.ts';
import { type Figure, median, repeated, wallSeconds } from './measure.ts';
import { loopsOf, turn } from './turns.ts';

const STEPS = 20;
const SECRETS = 15;
/** As many transactions of each kind take turns, so that a busy machine slows both alike. */
const ROUNDS = 40;
const REPEATS = 5;

/** What hash chain and redaction add to a transaction of one row, beside one that writes the same row without them. */
export async function recordingFigures(): Promise<Figure[]> {
  const events = await eventsOfTurn();
  const ratios = await repeated(REPEATS, async (folder) => added(join(folder, 'log.db'), events));
  return [
    { name: 'a transaction of one row', value: median(ratios.map(({ bare }) => bare)), unit: 'µs', bound: null },
    {
      name: `chain and redaction of ${SECRETS} secrets add`,
      value: median(ratios.map(({ ratio }) => 100 * (ratio - 1))),
      unit: '%',
      bound: { atMost: 25 },
    },
  ];
}

async function eventsOfTurn(): Promise<readonly NewEvent[]> {
  const log = memoryLog();
  await turn(loopsOf(log, STEPS), STEPS);
  const [run] = await log.runs();
  const events: NewEvent[] = [];
  for await (const event of log.read(run?.run ?? '')) events.push(event);
  return events;
}

async function added(path: string, events: readonly NewEvent[]): Promise<{ bare: number; ratio: number }> {
  const db = new DatabaseSync(path);
  db.exec(`${SCHEMA}; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL`);
  const insert = db.prepare(
    `INSERT INTO events (run, version, type, schema, at, causation, epoch, payload, salt, digest, hash, mark)
     VALUES (?, ?, 1, 1, ?, ?, 1, ?, ?, NULL, ?, ?)`,
  );
  const [begin, commit] = [db.prepare('BEGIN IMMEDIATE'), db.prepare('COMMIT')];
  let run = 0;
  const write = (event: NewEvent, version: number, text: string, salt: Buffer, hash: Buffer) => {
    begin.run();
    insert.run(run, version, Date.parse(event.at), event.causation, text, salt, hash, event.mark);
    commit.run();
  };
  const [salt, hash] = [randomBytes(16), randomBytes(32)];
  const bare = () => {
    run += 1;
    for (const [index, event] of events.entries()) write(event, index + 1, JSON.stringify(event.payload), salt, hash);
  };
  const secrets = Array.from({ length: SECRETS }, (_, n) => [`N${n}_TOKEN`, randomBytes(20).toString('base64')]);
  const redact = redactor(secretsIn(Object.fromEntries(secrets)));
  const whole = () => {
    run += 1;
    let head = START;
    for (const [index, event] of events.entries()) {
      const cleaned = { ...event, payload: redact(event.payload) };
      const prepared = prepare({ run: `run-${run}`, events: [cleaned], expectedVersion: index, epoch: 1 });
      if (prepared.kind !== 'prepared') throw new Error(prepared.kind);
      const [chained] = chain(head, `run-${run}`, 1, prepared.events);
      if (!chained) throw new Error('nothing was chained');
      head = chained;
      write(event, index + 1, String(chained.text), Buffer.from(chained.salt ?? []), Buffer.from(chained.hash, 'hex'));
    }
  };
  const seconds = { bare: 0, whole: 0 };
  bare();
  whole();
  for (let round = 0; round < ROUNDS; round += 1) {
    seconds.bare += await wallSeconds(bare);
    seconds.whole += await wallSeconds(whole);
  }
  db.close();
  return { bare: (seconds.bare * 1e6) / (ROUNDS * events.length), ratio: seconds.whole / seconds.bare };
}
