import { mkdirSync, readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { openSqliteLog } from '../../src/log/sqlite/engine.ts';
import { SCHEMA_VERSION } from '../../src/log/sqlite/schema.ts';
import { closedStore, crash, edit, everythingAt, failure, lengthOf, overwrite, pageOf } from './damaging.ts';
import { all, history, take } from '../../src/testing/log-contract/contract.ts';
import { temporaryStore } from './store.ts';

describe('foreign: left byte for byte as it was', () => {
  const strangers: Record<string, (path: string) => void> = {
    'a text': (path) => writeFileSync(path, 'not a database at all\n'.repeat(100)),
    'a single byte': (path) => writeFileSync(path, 'S'),
    "another program's database": (path) => {
      const db = new DatabaseSync(path);
      db.exec('PRAGMA journal_mode = WAL; CREATE TABLE runs (run TEXT); PRAGMA user_version = 1');
      db.close();
    },
  };
  test.for(Object.entries(strangers))('%s', ([, make]) => {
    const path = temporaryStore();
    make(path);
    const before = everythingAt(path);
    for (const mode of ['create', 'write', 'read'] as const) {
      expect(failure(() => openSqliteLog(path, { mode }))).toMatchObject({ kind: 'foreign', store: path });
    }
    expect(everythingAt(path)).toEqual(before);
  });
});

describe('damaged: left byte for byte as it was', () => {
  const damages: Record<string, (path: string) => void> = {
    'cut short': (path) => truncateSync(path, statSync(path).size - 1),
    'cut to its first page': (path) => truncateSync(path, 4096),
    'its schema overwritten': (path) => overwrite(path, 100, 3_000),
    'every page but the first overwritten': (path) => overwrite(path, 4_096, statSync(path).size - 4_096),
  };
  test.for(Object.entries(damages))('%s', async ([, damage]) => {
    const path = await closedStore();
    damage(path);
    const before = everythingAt(path);
    expect(failure(() => openSqliteLog(path))).toMatchObject({ kind: 'damaged', store: path });
    expect(everythingAt(path)).toEqual(before);
  });

  test('also while a write-ahead log waits to be copied into it', async () => {
    const path = await closedStore();
    const crashed = await crash(path);
    overwrite(crashed, 4_096, 4_096);
    const before = everythingAt(crashed);
    expect(before.get(`${crashed}-wal`)?.length).toBeGreaterThan(4_096);
    expect(failure(() => openSqliteLog(crashed))).toMatchObject({ kind: 'damaged' });
    expect(everythingAt(crashed)).toEqual(before);
  });

  test('a page that opening does not read is found when it is read', async () => {
    const path = temporaryStore();
    const log = openSqliteLog(path);
    await log.release(await history(log, 'a', 2_000));
    await log.release(await history(log, 'b', 1));
    await log.close();
    overwrite(path, pageOf(path, '"index":1234}'), 4_096);
    const before = everythingAt(path);
    const reopened = openSqliteLog(path);
    await expect(all(reopened.read('a'))).rejects.toMatchObject({ kind: 'damaged', store: path });
    await expect(reopened.verify('a')).rejects.toMatchObject({ kind: 'damaged' });
    await reopened.close();
    expect(everythingAt(path)).toEqual(before);
  });

  test('a payload that is no JSON any more', async () => {
    const path = await closedStore();
    edit(path, `UPDATE events SET payload = '{' WHERE version = 3`);
    const log = openSqliteLog(path);
    await expect(all(log.read('a'))).rejects.toMatchObject({ kind: 'damaged' });
    expect(await log.verify('a')).toMatchObject({ kind: 'broken', version: 3 });
    await log.close();
  });

  test('a missing table', async () => {
    const path = await closedStore();
    edit(path, 'DROP TABLE leases');
    expect(failure(() => openSqliteLog(path))).toMatchObject({ kind: 'damaged' });
  });
});

describe('unavailable: nothing is made, and the message says what to do', () => {
  test('no log where one is only to be read or written', () => {
    const path = temporaryStore();
    for (const mode of ['read', 'write'] as const) {
      const error = failure(() => openSqliteLog(path, { mode }));
      expect(error).toMatchObject({ kind: 'unavailable' });
      expect(error.message).toBe(`${path}: there is no log. Start a run first, or name the folder that has one.`);
    }
    expect(readdirSync(dirname(path))).toEqual([]);
  });

  test("no folder, a folder in its place, a file in the folder's place, a folder that takes no files", () => {
    const path = temporaryStore();
    mkdirSync(path);
    const blocked = temporaryStore();
    writeFileSync(blocked, '');
    for (const store of [path, join(path, 'no', 'log.db'), join(blocked, 'log.db'), '/proc/log.db']) {
      expect(failure(() => openSqliteLog(store))).toMatchObject({ kind: 'unavailable', store });
    }
  });

  test('a newer schema', async () => {
    const path = await closedStore();
    edit(path, `PRAGMA user_version = ${SCHEMA_VERSION + 1}`);
    const before = everythingAt(path);
    expect(failure(() => openSqliteLog(path)).message).toContain(
      `schema ${SCHEMA_VERSION + 1}, known ${SCHEMA_VERSION}`,
    );
    expect(everythingAt(path)).toEqual(before);
  });

  test.each([
    [-1, 'runs, which came with 1'],
    [1, 'outbox, which came with 3'],
    [2, 'outbox, which came with 3'],
    [5, 'submissions, which came with 6'],
  ])('a version of the schema, %d, under which what is there would be taken for missing', async (version, table) => {
    const path = await closedStore();
    edit(path, `PRAGMA user_version = ${version}`);
    const before = everythingAt(path);
    for (const mode of ['create', 'write', 'read'] as const) {
      const error = failure(() => openSqliteLog(path, { mode }));
      expect(error).toMatchObject({ kind: 'damaged' });
      expect(error.message).toContain(`it says ${version}, and it has the table ${table}`);
    }
    expect(everythingAt(path)).toEqual(before);
  });

  test('a lock that another process keeps', async () => {
    const path = await closedStore();
    const other = new DatabaseSync(path);
    other.exec('BEGIN IMMEDIATE');
    const log = openSqliteLog(path, { busyTimeoutMs: 1 });
    await expect(take(log, 'b')).rejects.toMatchObject({ kind: 'unavailable' });
    expect(await all(log.read('a'))).toHaveLength(40);
    other.exec('ROLLBACK');
    expect(await take(log, 'b')).toMatchObject({ epoch: 1 });
    await log.close();
    other.close();
  });

  test('writing to a store opened for reading', async () => {
    const path = await closedStore();
    const log = openSqliteLog(path, { mode: 'read' });
    await expect(take(log, 'a')).rejects.toMatchObject({ kind: 'unavailable' });
    expect(await log.verify('a')).toMatchObject({ kind: 'intact' });
    await log.close();
  });

  test('an empty file becomes a log when one may be made', async () => {
    const path = temporaryStore();
    writeFileSync(path, '');
    expect(failure(() => openSqliteLog(path, { mode: 'read' }))).toMatchObject({ kind: 'unavailable' });
    const log = openSqliteLog(path);
    await history(log, 'a', 1);
    await log.close();
    expect(await lengthOf(path)).toBe(1);
  });
});
