import { createHash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { BLOB_THRESHOLD_BYTES } from '../../src/log/event-store.ts';
import { openSqliteLog } from '../../src/log/sqlite/engine.ts';
import { tenthOf } from '../support/tenth.ts';
import { appended, fact, history, take, verifiedPages } from '../../src/testing/log-contract/contract.ts';
import { temporaryStore } from './store.ts';

/** What the hash of an envelope covers, as the store keeps it. Its position is the store's own business. */
const COLUMNS = ['version', 'type', 'schema', 'at', 'causation', 'epoch', 'payload', 'salt', 'hash', 'run'] as const;
type Value = string | number | Uint8Array | null;

/** A bit of a number, or of a byte of anything else. */
interface Place {
  readonly name: (typeof COLUMNS)[number];
  readonly position: number;
  readonly offset: number;
  readonly bit: number;
}

const EVENTS = 6;
const BITS = 7;

test('whichever byte of a stored event is changed, verify finds it', async () => {
  const path = temporaryStore();
  const log = openSqliteLog(path);
  const { epoch } = await take(log, 'a');
  const blob = { text: 'é'.repeat(BLOB_THRESHOLD_BYTES) };
  const events = Array.from({ length: EVENTS }, (_, index) =>
    fact(index === 2 ? blob : { index, text: 'some text' }, { causation: index === 3 ? null : `${index}/1` }),
  );
  await appended(log.append({ run: 'a', events, expectedVersion: 0, epoch }));
  const db = new DatabaseSync(path);
  db.exec('PRAGMA synchronous = OFF');
  const places = placesIn(db);
  expect(places.length).toBeGreaterThan(4_000);

  for (const { name, position, offset, bit } of tenthOf(places)) {
    const value = valueAt(db, name, position);
    const write = db.prepare(`UPDATE OR IGNORE events SET ${name} = ? WHERE position = ?`);
    if (write.run(changed(value, offset, bit), position).changes === 0) continue;
    const found = await log.verify('a').catch((error: Error) => error);
    const whileRead = await verifiedPages(log, 'a').catch((error: Error) => error);
    expect(whileRead instanceof Error ? whileRead : whileRead.verified).toEqual(found);
    write.run(value, position);
    const seen = {
      name,
      position,
      offset,
      bit,
      kind: found instanceof Error ? Reflect.get(found, 'kind') : found.kind,
    };
    expect(seen).toMatchObject({ kind: found instanceof Error ? 'diverged' : 'broken' });
  }
  expect(await log.verify('a')).toMatchObject({ kind: 'intact', version: EVENTS });

  const broken = (why: string) => ({ kind: 'broken', version: 3, reason: expect.stringMatching(`blob .* ${why}`) });
  db.exec(`UPDATE blobs SET content = replace(content, 'é', 'e')`);
  expect(await log.verify('a')).toMatchObject(broken('has other content'));
  db.exec('DELETE FROM blobs');
  expect(await log.verify('a')).toMatchObject(broken('is missing'));
  db.close();
  await log.close();
});

test('a mark is no part of the chain: it follows from the events', async () => {
  const path = temporaryStore();
  const log = openSqliteLog(path);
  await history(log, 'a', 4);
  const db = new DatabaseSync(path);
  db.exec(`UPDATE events SET mark = 'elsewhere/9' WHERE version = 2`);
  db.close();
  expect(await log.verify('a')).toMatchObject({ kind: 'intact', version: 4 });
  await log.close();
});

test('an event that is gone is named by its place', async () => {
  const path = temporaryStore();
  const log = openSqliteLog(path);
  await history(log, 'a', 4);
  const db = new DatabaseSync(path);
  db.exec('DELETE FROM events WHERE version = 2');
  expect(await log.verify('a')).toEqual({ kind: 'broken', version: 2, reason: 'version 3 follows version 1' });
  db.close();
  await log.close();
});

test('content that was forgotten leaves a chain that holds, and reads as null', async () => {
  const path = temporaryStore();
  const log = openSqliteLog(path);
  const { epoch } = await take(log, 'a');
  await appended(log.append({ run: 'a', events: [fact(), fact(), fact()], expectedVersion: 0, epoch }));
  const db = new DatabaseSync(path);
  db.function('digest', { deterministic: true }, (salt, text) => digestOf(salt as Uint8Array, text as string));
  const forget = 'payload = NULL, salt = NULL';
  db.exec(`UPDATE events SET digest = digest(salt, payload), ${forget} WHERE version = 2`);
  expect(await log.verify('a')).toMatchObject({ kind: 'intact', version: 3 });
  for await (const { version, payload } of log.read('a')) expect(payload === null).toBe(version === 2);
  db.exec(`UPDATE events SET ${forget} WHERE version = 1`);
  expect(await log.verify('a')).toMatchObject({ kind: 'broken', version: 1 });
  db.close();
  await log.close();
});

test.each([
  [
    'a payload that is not the one its digest was taken of',
    `digest = digest(salt, payload), payload = '{}', salt = NULL`,
  ],
  ['a digest beside its payload', 'digest = zeroblob(32)'],
  ['a salt without a payload', 'digest = digest(salt, payload), payload = NULL'],
])('%s is found', async (_what, edit) => {
  const path = temporaryStore();
  const log = openSqliteLog(path);
  const { epoch } = await take(log, 'a');
  await appended(log.append({ run: 'a', events: [fact(), fact(), fact()], expectedVersion: 0, epoch }));
  const db = new DatabaseSync(path);
  db.function('digest', { deterministic: true }, (salt, text) => digestOf(salt as Uint8Array, text as string));
  db.exec(`UPDATE events SET ${edit} WHERE version = 2`);
  expect(await log.verify('a')).toMatchObject({ kind: 'broken', version: 2 });
  db.close();
  await log.close();
});

function digestOf(salt: Uint8Array, text: string): Uint8Array {
  return createHash('sha256').update(salt).update(text).digest();
}

/** Every bit of every byte of the stored events. */
function placesIn(db: DatabaseSync): Place[] {
  const bits = Array.from({ length: BITS }, (_none, bit) => bit);
  return COLUMNS.flatMap((name) =>
    Array.from({ length: EVENTS }, (_none, index) => index + 1).flatMap((position) => {
      const value = valueAt(db, name, position);
      const bytes = value === null || typeof value === 'number' ? 1 : Buffer.from(value as string).length;
      return Array.from({ length: bytes }, (_none, offset) => offset).flatMap((offset) =>
        bits.map((bit) => ({ name, position, offset, bit })),
      );
    }),
  );
}

function valueAt(db: DatabaseSync, name: Place['name'], position: number): Value {
  const row = db.prepare(`SELECT ${name} AS value FROM events WHERE position = ?`).get(position);
  return (row as { value: Value }).value;
}

function changed(value: Value, offset: number, bit: number): Value {
  if (value === null) return '1/1';
  if (typeof value === 'number') return value ^ (1 << bit);
  if (typeof value !== 'string') return flipped(Buffer.from(value), offset, bit);
  return flipped(Buffer.from(value), offset, bit).toString('latin1');
}

function flipped(bytes: Buffer, offset: number, bit: number): Buffer {
  const at = offset % bytes.length;
  bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
  return bytes;
}
