import { expect, test } from 'vitest';
import { BLOB_THRESHOLD_BYTES } from '../../src/log/event-store.ts';
import type { Envelope } from '../../src/log/envelope.ts';
import { openSqliteLog } from '../../src/log/sqlite/engine.ts';
import { brokenLine } from '../../src/replay/verify-lines.ts';
import { edit } from '../log/damaging.ts';
import { all, appended, fact, history, take } from '../../src/testing/log-contract/contract.ts';
import { temporaryStore } from '../log/store.ts';

/** The envelopes of a continued run, as a file has them: a shared prefix, a payload apart, one that was forgotten. */
async function lines(): Promise<readonly Envelope[]> {
  const path = temporaryStore();
  const log = openSqliteLog(path);
  await history(log, 'a', 2);
  await log.fork({ from: 'a', at: 2, to: 'b' });
  const { epoch } = await take(log, 'b');
  const events = [
    fact({ text: 'x'.repeat(BLOB_THRESHOLD_BYTES) }),
    fact({ text: 'é €' }, { causation: '2/0' }),
    fact(),
  ];
  await appended(log.append({ run: 'b', events, expectedVersion: 2, epoch }));
  const envelopes = await all(log.read('b', { salts: true }));
  await log.close();
  return JSON.parse(JSON.stringify(envelopes)) as readonly Envelope[];
}

test('what is read with its salts can be verified, a prefix and a large payload included', async () => {
  expect(brokenLine(await lines())).toBeNull();
});

const changes: Record<string, (line: Envelope) => object> = {
  payload: () => ({ payload: { text: 'other' } }),
  type: () => ({ type: 'tool.failed' }),
  time: () => ({ at: '2026-03-01T12:00:00.001Z' }),
  run: () => ({ run: 'c' }),
  schema: ({ schema }) => ({ schema: schema + 1 }),
  epoch: ({ epoch }) => ({ epoch: epoch + 1 }),
  causation: () => ({ causation: '1/9' }),
  hash: () => ({ hash: '0'.repeat(64) }),
  salt: () => ({ salt: '0'.repeat(32) }),
  'missing salt': () => ({ salt: undefined }),
  'missing hash': () => ({ hash: undefined }),
  'payload and salt taken away': () => ({ payload: null, salt: null }),
};

test.for(Object.entries(changes))('an edit of any line is found: %s', async ([, change]) => {
  const whole = await lines();
  for (const [index, line] of whole.entries()) {
    const edited = whole.with(index, { ...line, ...change(line) } as Envelope);
    expect(brokenLine(edited)).toMatchObject({ kind: 'damaged', version: index + 1 });
  }
});

test('a line that is left out, doubled or moved is found', async () => {
  const whole = await lines();
  for (const index of [0, 1, 2, 3]) {
    expect(brokenLine(whole.toSpliced(index, 1))).not.toBeNull();
    expect(brokenLine(whole.toSpliced(index, 0, ...whole.slice(index, index + 1)))).not.toBeNull();
    expect(brokenLine(whole.toSpliced(index, 2, ...whole.slice(index, index + 2).toReversed()))).not.toBeNull();
  }
});

test('content that was forgotten leaves its digest, and the file holds', async () => {
  const path = temporaryStore();
  const log = openSqliteLog(path);
  await history(log, 'a', 3);
  const [, second] = await all(log.read('a', { salts: true }));
  const { payloadDigest } = await import('../../src/log/hash.ts');
  const digest = payloadDigest(Buffer.from(second?.salt ?? '', 'hex'), JSON.stringify(second?.payload));
  edit(path, `UPDATE events SET payload = NULL, salt = NULL, digest = x'${digest}' WHERE version = 2`);
  const read = await all(log.read('a', { salts: true }));
  expect(read[1]).toMatchObject({ payload: null, salt: null, digest });
  expect(brokenLine(read)).toBeNull();
  const forged = read.with(1, { ...read[1], payload: { text: 'forged' } } as (typeof read)[number]);
  expect(brokenLine(forged)).toMatchObject({ version: 2 });
  await log.close();
});

test('salts are given only where they are asked for', async () => {
  const log = openSqliteLog(temporaryStore());
  await history(log, 'a', 1);
  for (const envelope of await all(log.read('a'))) expect(envelope).not.toHaveProperty('salt');
  await log.close();
});
