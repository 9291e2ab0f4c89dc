import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSqliteLog } from '../../src/log/sqlite/engine.ts';
import { appended, fact, history, take } from '../../src/testing/log-contract/contract.ts';
import { temporaryStore } from './store.ts';

const WAL_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;

/** Commits in a write-ahead log that was never copied back: the frames that carry the size of the database. */
function commits(path: string): number {
  const wal = readFileSync(`${path}-wal`);
  const frameBytes = FRAME_HEADER_BYTES + wal.readUInt32BE(8);
  let count = 0;
  for (let frame = WAL_HEADER_BYTES; frame < wal.length; frame += frameBytes) {
    if (wal.readUInt32BE(frame + 4) > 0) count += 1;
  }
  return count;
}

const DESCRIPTORS = '/proc/self/fd';

function openFilesBelow(folder: string): number {
  const targets = readdirSync(DESCRIPTORS)
    .map((name) => join(DESCRIPTORS, name))
    .filter((link) => existsSync(link));
  return targets.filter((link) => readlinkSync(link).startsWith(folder)).length;
}

const runs = Array.from({ length: 70 }, (_, index) => `run-${index}`);

test('what many runs append in one turn is one commit, and the head of each is noted', async () => {
  const path = temporaryStore();
  const log = openSqliteLog(path);
  await Promise.all(runs.map((run) => take(log, run)));
  expect(commits(path)).toBe(1);
  for (const expectedVersion of [0, 2]) {
    const append = (run: string) => log.append({ run, events: [fact(), fact()], expectedVersion, epoch: 1 });
    await Promise.all(runs.map((run) => appended(append(run))));
  }
  expect(commits(path)).toBe(3);
  for (const run of runs) {
    const head = await log.run(run);
    expect(readFileSync(join(`${path}.heads`, run), 'utf8')).toBe(`${run} 000000000004 ${head?.hash}\n`);
  }
  if (existsSync(DESCRIPTORS)) expect(openFilesBelow(`${path}.heads`)).toBe(64);
  await log.close();
});

test('what is refused costs its neighbours nothing, and an append of its own is a commit of its own', async () => {
  const path = temporaryStore();
  const log = openSqliteLog(path);
  await history(log, 'a', 1);
  const before = commits(path);
  const append = (expectedVersion: number) => log.append({ run: 'a', events: [fact()], expectedVersion, epoch: 1 });
  await Promise.all([append(1), append(7), append(2)]);
  expect(commits(path)).toBe(before + 1);
  await append(3);
  expect(commits(path)).toBe(before + 2);
  await append(7);
  expect(commits(path)).toBe(before + 2);
  await log.close();
});

test('a write that was asked for before the log is closed is done', async () => {
  const path = temporaryStore();
  const log = openSqliteLog(path);
  const { epoch } = await take(log, 'a');
  const append = log.append({ run: 'a', events: [fact()], expectedVersion: 0, epoch });
  await log.close();
  expect(await append).toMatchObject({ kind: 'appended' });
});

test('five small events cost little more than what they say', async () => {
  const path = temporaryStore();
  const log = openSqliteLog(path);
  const run = '0199d2c0-7a51-7c3e-9f40-5b6a1c2d3e4f';
  const { epoch } = await take(log, run);
  const empty = statSync(path).size;
  const steps = 500;
  for (let step = 0; step < steps; step += 1) {
    const payload = { callId: `${step}.0`, output: 'x'.repeat(165) };
    const events = Array.from({ length: 5 }, () => fact(payload, { causation: `${step}/0` }));
    await appended(log.append({ run, events, expectedVersion: step * 5, epoch }));
  }
  await log.close();
  expect((statSync(path).size - empty) / steps).toBeLessThan(1_600);
});

test('what a write learned in a transaction that was rolled back is forgotten with it', async () => {
  const path = temporaryStore();
  const log = openSqliteLog(path);
  await take(log, 'a');
  await take(log, 'b');
  const unheard = { ...fact(), type: 'type.neverSeen' };
  const [kept, refused] = await Promise.allSettled([
    log.append({ run: 'a', events: [unheard], expectedVersion: 0, epoch: 1 }),
    log.append({ run: 'b', events: [fact()], expectedVersion: 0, epoch: 1, parentEffect: 'nobody/1/0' }),
  ]);
  expect([kept.status, refused.status]).toEqual(['fulfilled', 'rejected']);
  const types: string[] = [];
  for await (const { type } of log.read('a')) types.push(type);
  expect(types).toEqual(['type.neverSeen']);
  await log.close();
});

test('a file that was removed while it was open is missed when its lease is renewed or given back', async () => {
  const path = temporaryStore();
  const log = openSqliteLog(path);
  const lease = await take(log, 'a');
  expect(await log.renew(lease)).toEqual({ kind: 'renewed' });
  rmSync(path);
  await expect(log.renew(lease)).rejects.toMatchObject({ name: 'LogError', kind: 'lost' });
  await expect(log.release(lease)).rejects.toMatchObject({ name: 'LogError', kind: 'lost' });
  await log.close();
});
