import { readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { thisProcess } from '../../src/log/holder.ts';
import { openSqliteLog } from '../../src/log/sqlite/engine.ts';
import { closedStore, crash, edit, everythingAt, failure, lengthOf, overwrite } from './damaging.ts';
import { all, appended, fact, history, take } from '../../src/testing/log-contract/contract.ts';
import { temporaryStore } from './store.ts';

const MODES = ['create', 'write', 'read'] as const;
const losses: Record<string, (path: string) => void> = {
  'a write-ahead log cut by hand': (path) => truncateSync(`${path}-wal`, Math.floor(statSync(`${path}-wal`).size / 2)),
  'a write-ahead log that is gone': (path) => rmSync(`${path}-wal`),
  'a bit of the write-ahead log': (path) => overwrite(`${path}-wal`, 3_000, 1),
  'a database cut to nothing': (path) => truncateSync(path, 0),
  'a database that is gone': (path) => rmSync(path),
};
test.for(Object.entries(losses))('%s, found on opening, and nothing is changed by that', async ([, lose]) => {
  const path = await crash(await closedStore());
  lose(path);
  const before = everythingAt(path);
  for (const mode of MODES) expect(failure(() => openSqliteLog(path, { mode }))).toMatchObject({ kind: 'diverged' });
  expect(everythingAt(path)).toEqual(before);
});

test('an older copy that was put back, whichever run it lacks', async () => {
  const path = await closedStore();
  const older = readFileSync(path);
  const log = openSqliteLog(path);
  await log.release(await history(log, 'b', 1));
  await log.close();
  writeFileSync(path, older);
  for (const mode of MODES) {
    expect(failure(() => openSqliteLog(path, { mode })).message).toContain(
      `run b had 1 versions, and is not in the log any more`,
    );
  }
});

test('a run that is gone, and one below the root, are both named', async () => {
  const path = temporaryStore();
  const log = openSqliteLog(path);
  const { epoch } = await history(log, 'a', 1);
  await appended(log.append({ run: 'b', events: [fact()], expectedVersion: 0, epoch, parentEffect: 'a/1/0' }));
  await appended(log.append({ run: 'b', events: [fact()], expectedVersion: 1, epoch }));
  await log.fork({ from: 'a', at: 1, to: 'c' });
  await log.close();
  edit(path, 'DELETE FROM events WHERE run = 2 AND version = 2', `DELETE FROM runs WHERE run = 'c'`);
  const { message } = failure(() => openSqliteLog(path));
  expect(message).toContain('run b had another history up to version 2; here it ends at 1; run c had 1 versions');
  expect(message).toContain(`deleting their notes in ${path}.heads`);
});

test('the same version with another hash', async () => {
  const path = await closedStore(2);
  edit(path, 'UPDATE events SET hash = zeroblob(32) WHERE version = 2');
  expect(failure(() => openSqliteLog(path))).toMatchObject({ kind: 'diverged' });
});

test('what another process takes away while a log is open is found by the next call on that run', async () => {
  const path = await closedStore(2);
  const log = openSqliteLog(path);
  edit(path, 'DELETE FROM events WHERE version = 2');
  const diverged = { kind: 'diverged', store: path };
  await expect(all(log.read('a'))).rejects.toMatchObject(diverged);
  await expect(all(log.follow('a', { signal: AbortSignal.abort() }))).rejects.toMatchObject(diverged);
  await expect(log.acquire('a', thisProcess())).rejects.toMatchObject(diverged);
  await expect(log.run('a')).rejects.toMatchObject(diverged);
  await expect(log.verify('a')).rejects.toMatchObject(diverged);
  expect(await log.runs()).toHaveLength(1);
  await log.close();
});

test('a head that is absent, older or unreadable says nothing', async () => {
  const path = await closedStore(2);
  const file = join(`${path}.heads`, 'a');
  const head = readFileSync(file, 'utf8');
  expect(head).toMatch(/^a 000000000002 [0-9a-f]{64}\n$/);
  const log = openSqliteLog(path);
  const { epoch } = await take(log, 'a');
  await appended(log.append({ run: 'a', events: [fact()], expectedVersion: 2, epoch }));
  await log.close();
  for (const content of [head, head.slice(0, 30), head.replace(/^a 000000000002/, 'b 000000000009'), '']) {
    writeFileSync(file, content);
    expect(await lengthOf(path)).toBe(3);
  }
  rmSync(`${path}.heads`, { recursive: true });
  expect(await lengthOf(path)).toBe(3);
});
