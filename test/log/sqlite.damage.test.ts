import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { LogError } from '../../src/log/errors.ts';
import { thisProcess } from '../../src/log/holder.ts';
import { openSqliteLog } from '../../src/log/sqlite/engine.ts';
import { SCHEMA_VERSION } from '../../src/log/sqlite/schema.ts';
import { all, appended, fact, history, take } from './facts.ts';
import { temporaryStore } from './store.ts';

/** Every file below the store's folder, with its bytes. */
function everythingAt(path: string): Map<string, string> {
  const files = readdirSync(dirname(path), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map((entry) => join(entry.parentPath, entry.name)).filter((file) => !file.endsWith('-shm'));
  return new Map(paths.toSorted().map((file) => [file, readFileSync(file, 'latin1')]));
}

function failure(act: () => unknown): LogError {
  try {
    act();
  } catch (error) {
    if (error instanceof LogError) return error;
    throw error;
  }
  throw new Error('expected a failure');
}

async function closedStore(events = 40): Promise<string> {
  const path = temporaryStore();
  const log = openSqliteLog(path);
  await log.release(await history(log, 'a', events));
  await log.close();
  return path;
}

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

  test('what opening cannot see is found when it is read', async () => {
    const path = await closedStore(2_000);
    overwrite(path, Math.floor(statSync(path).size / 8_192) * 4_096, 4_096);
    const before = everythingAt(path);
    const log = openSqliteLog(path);
    await expect(all(log.read('a'))).rejects.toMatchObject({ kind: 'damaged', store: path });
    await expect(log.verify('a')).rejects.toMatchObject({ kind: 'damaged' });
    await log.close();
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

describe('diverged: the database is behind or beside what was committed', () => {
  test('a write-ahead log cut by hand, and nothing is written on finding it', async () => {
    const path = await crash(await closedStore());
    truncateSync(`${path}-wal`, Math.floor(statSync(`${path}-wal`).size / 2));
    const before = everythingAt(path);
    const log = openSqliteLog(path);
    const diverged = { kind: 'diverged', store: path };
    await expect(all(log.read('a'))).rejects.toMatchObject(diverged);
    await expect(all(log.follow('a', { signal: AbortSignal.abort() }))).rejects.toMatchObject(diverged);
    await expect(log.acquire('a', thisProcess())).rejects.toMatchObject(diverged);
    await expect(log.run('a')).rejects.toMatchObject(diverged);
    await expect(log.verify('a')).rejects.toMatchObject(diverged);
    expect(await log.runs()).toHaveLength(1);
    await log.close();
    expect(everythingAt(path)).toEqual(before);
  });

  test('a run that is gone, and one below the root that is taken', async () => {
    const path = temporaryStore();
    const log = openSqliteLog(path);
    const { epoch } = await history(log, 'a', 1);
    await appended(log.append({ run: 'b', events: [fact()], expectedVersion: 0, epoch, parentEffect: 'a/1/0' }));
    await appended(log.append({ run: 'b', events: [fact()], expectedVersion: 1, epoch }));
    await log.fork({ from: 'a', at: 1, to: 'c' });
    await log.close();
    edit(path, 'DELETE FROM events WHERE run = 2 AND version = 2', `DELETE FROM runs WHERE run = 'c'`);
    const reopened = openSqliteLog(path);
    expect(await all(reopened.read('a'))).toHaveLength(1);
    await expect(reopened.acquire('a', thisProcess())).rejects.toMatchObject({ kind: 'diverged' });
    await expect(reopened.run('c')).rejects.toMatchObject({ kind: 'diverged' });
    await reopened.close();
  });

  test('the same version with another hash', async () => {
    const path = await closedStore(2);
    edit(path, 'UPDATE events SET hash = zeroblob(32) WHERE version = 2');
    const log = openSqliteLog(path);
    await expect(all(log.read('a'))).rejects.toMatchObject({ kind: 'diverged' });
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

/** What a killed process leaves behind: a copy of a store while it is open, its write-ahead log beside it. */
async function crash(path: string): Promise<string> {
  const log = openSqliteLog(path);
  const { epoch } = await take(log, 'a');
  for (let version = 40; version < 60; version += 1) {
    await appended(log.append({ run: 'a', events: [fact()], expectedVersion: version, epoch }));
  }
  const copy = temporaryStore();
  for (const suffix of ['', '-wal']) copyFileSync(path + suffix, copy + suffix);
  mkdirSync(`${copy}.heads`);
  copyFileSync(join(`${path}.heads`, 'a'), join(`${copy}.heads`, 'a'));
  await log.close();
  return copy;
}

function overwrite(path: string, from: number, bytes: number): void {
  const content = readFileSync(path);
  content.fill(0xa5, from, from + bytes);
  writeFileSync(path, content);
}

function edit(path: string, ...statements: string[]): void {
  const db = new DatabaseSync(path);
  for (const sql of statements) db.exec(sql);
  db.close();
}

async function lengthOf(path: string): Promise<number> {
  const log = openSqliteLog(path, { mode: 'read' });
  const events = await all(log.read('a'));
  await log.close();
  return events.length;
}
