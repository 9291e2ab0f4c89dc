import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { openSqliteLog } from '../../src/log/sqlite/engine.ts';
import { SCHEMA_VERSION } from '../../src/log/sqlite/schema.ts';
import { all, appended, elsewhere, fact, history, take } from '../../src/testing/log-contract/contract.ts';
import { temporaryStore } from './store.ts';

/** The fifth version had no queue, and the fourth no indexes of trees. */
const WITHOUT_QUEUE = 'DROP TABLE submissions';
const WITHOUT_TREES = [WITHOUT_QUEUE, ...['of_tree', 'at_top'].map((name) => `DROP INDEX runs_${name}`)];

/** A store as the first version of the schema had it: events without marks. */
async function storeOfVersion1(): Promise<string> {
  const path = temporaryStore();
  const log = openSqliteLog(path);
  await log.release(await history(log, 'a', 300));
  const [first] = await all(log.read('a', { from: 1, to: 1 }));
  await log.saveSnapshot({ run: 'a', version: 1, hash: first?.hash ?? '', machine: 'turn@1', state: {} });
  await log.close();
  const sql = ['DROP TABLE outbox', 'ALTER TABLE events DROP COLUMN mark', 'PRAGMA user_version = 1'];
  edit(path, ...WITHOUT_TREES, ...sql);
  return path;
}

/** A store as the second version of the schema had it: without an outbox. */
async function storeOfVersion2(): Promise<string> {
  const path = temporaryStore();
  const log = openSqliteLog(path);
  await log.release(await history(log, 'a', 3));
  await log.close();
  edit(path, ...WITHOUT_TREES, 'DROP TABLE outbox', 'PRAGMA user_version = 2');
  return path;
}

/** A store as the third version of the schema had it: no owed row is marked as the first of its run and URL. */
async function storeOfVersion3(): Promise<string> {
  const path = temporaryStore();
  const log = openSqliteLog(path);
  const { epoch } = await take(log, 'a');
  const urls = ['https://one.example', 'https://two.example'];
  const reports = [1, 2].flatMap((version) => urls.map((url) => ({ version, url, secretVariable: null, body: '{}' })));
  await appended(log.append({ run: 'a', events: [fact(), fact()], expectedVersion: 0, epoch, reports }));
  await log.close();
  const indexes = ['heads', 'claimed', 'delivered'].map((name) => `DROP INDEX outbox_${name}`);
  const triggers = ['enters', 'leaves'].map((name) => `DROP TRIGGER outbox_${name}`);
  const sql = ['ALTER TABLE outbox DROP COLUMN is_head', 'PRAGMA user_version = 3'];
  edit(path, ...WITHOUT_TREES, ...indexes, ...triggers, ...sql);
  return path;
}

/** A store as the fourth version of the schema had it: no index finds the runs of a tree. */
async function storeOfVersion4(): Promise<string> {
  const path = temporaryStore();
  const log = openSqliteLog(path);
  for (const run of ['a', 'b', 'c']) await log.release(await history(log, run, 2));
  await log.close();
  edit(path, ...WITHOUT_TREES, 'PRAGMA user_version = 4');
  return path;
}

function edit(path: string, ...statements: string[]): void {
  const db = new DatabaseSync(path);
  for (const sql of statements) db.exec(sql);
  db.close();
}

function layoutOf(path: string) {
  const db = new DatabaseSync(path, { readOnly: true });
  const columns = ['events', 'outbox', 'submissions'].map((table) =>
    db.prepare(`SELECT name, type, "notnull" FROM pragma_table_info('${table}')`).all(),
  );
  const indexes = db
    .prepare("SELECT name, sql FROM sqlite_schema WHERE type IN ('index', 'trigger') ORDER BY name")
    .all();
  const version = db.prepare('PRAGMA user_version').get();
  db.close();
  return { columns, indexes, version };
}

test('a store without marks is migrated in place when it is opened to be written, its events unchanged', async () => {
  const path = await storeOfVersion1();
  const log = openSqliteLog(path, { mode: 'write' });
  const { epoch } = await take(log, 'a');
  await appended(
    log.append({ run: 'a', events: [fact({}, { mark: 'decide.judging/1' })], expectedVersion: 300, epoch }),
  );
  const marks = (await all(log.read('a'))).map(({ mark }) => mark);
  expect(marks).toEqual([...Array.from({ length: 300 }, () => null), 'decide.judging/1']);
  expect(await log.verify('a')).toMatchObject({ kind: 'intact', version: 301 });
  await log.close();

  const made = temporaryStore();
  await openSqliteLog(made).close();
  expect(layoutOf(path)).toEqual(layoutOf(made));
  expect(layoutOf(path).version).toEqual({ user_version: SCHEMA_VERSION });
});

test('R11 a store without an outbox gets one when it is opened to be written', async () => {
  const path = await storeOfVersion2();
  const log = openSqliteLog(path, { mode: 'write' });
  const { epoch } = await take(log, 'a');
  const report = { version: 4, url: 'https://one.example', secretVariable: null, body: '{}' };
  await appended(log.append({ run: 'a', events: [fact()], expectedVersion: 3, epoch, reports: [report] }));
  expect(await log.undelivered('a')).toMatchObject([{ id: 'a/4', attempts: 0 }]);
  await log.close();
  const made = temporaryStore();
  await openSqliteLog(made).close();
  expect(layoutOf(path)).toEqual(layoutOf(made));
});

test('R11 what a store of before owes is delivered in its order after the upgrade', async () => {
  const path = await storeOfVersion3();
  const reader = openSqliteLog(path, { mode: 'read' });
  expect(await reader.undelivered('a')).toHaveLength(4);
  await reader.close();
  const log = openSqliteLog(path, { mode: 'write' });
  const by = elsewhere('a process');
  const claim = async () => log.claimReport({ by, forMs: 15_000, variables: [] });
  const [first, second, none] = [await claim(), await claim(), await claim()];
  expect([first, second, none].map((one) => one && `${one.id} ${one.url}`)).toEqual([
    'a/1 https://one.example',
    'a/1 https://two.example',
    null,
  ]);
  if (second) await log.reportDelivered(second, by);
  expect(await claim()).toMatchObject({ id: 'a/2', url: 'https://two.example' });
  await log.close();
  const made = temporaryStore();
  await openSqliteLog(made).close();
  expect(layoutOf(path)).toEqual(layoutOf(made));
});

test('one without indexes of trees lists the same runs, and gets them when it is opened to be written', async () => {
  const path = await storeOfVersion4();
  const listed = async (mode: 'read' | 'write') => {
    const log = openSqliteLog(path, { mode });
    const { runs, more } = await log.newest(2);
    const tree = await log.tree('a');
    await log.close();
    return { newest: runs.map(({ run }) => run), more, tree: tree.map(({ run }) => run) };
  };
  const expected = { newest: ['c', 'b'], more: 1, tree: ['a'] };
  expect(await listed('read')).toEqual(expected);
  expect(layoutOf(path).version).toEqual({ user_version: 4 });
  expect(await listed('write')).toEqual(expected);
  const made = temporaryStore();
  await openSqliteLog(made).close();
  expect(layoutOf(path)).toEqual(layoutOf(made));
});

test('R11 one without an outbox that is only read stays as it was, and owes nothing', async () => {
  const path = await storeOfVersion2();
  const before = readFileSync(path);
  const log = openSqliteLog(path, { mode: 'read' });
  expect(await log.undelivered()).toEqual([]);
  expect(await log.report('a/1', 'https://one.example')).toBeNull();
  expect(await all(log.read('a'))).toHaveLength(3);
  await log.close();
  expect(readFileSync(path).equals(before)).toBe(true);
});

test('one that is only read stays as it was, and reads as one without marks', async () => {
  const path = await storeOfVersion1();
  const before = readFileSync(path);
  const log = openSqliteLog(path, { mode: 'read' });
  const events = await all(log.read('a'));
  expect(events.map(({ version }) => version)).toEqual(Array.from({ length: 300 }, (_, index) => index + 1));
  expect(new Set(events.map(({ mark }) => mark))).toEqual(new Set([null]));
  expect(await log.verify('a')).toMatchObject({ kind: 'intact', version: 300 });
  expect(await log.run('a')).toMatchObject({ version: 300 });
  expect(await log.latestSnapshot('a')).toMatchObject({ version: 1 });
  await log.close();
  expect(readFileSync(path).equals(before)).toBe(true);
});

test('a connection that was open during the upgrade continues, and reads later events', async () => {
  const path = await storeOfVersion1();
  const reader = openSqliteLog(path, { mode: 'read' });
  expect(await all(reader.read('a', { from: 300 }))).toHaveLength(1);
  const writers = [openSqliteLog(path), openSqliteLog(path)] as const;
  const { epoch } = await take(writers[1], 'a');
  await appended(
    writers[1].append({ run: 'a', events: [fact({}, { mark: 'success/0' })], expectedVersion: 300, epoch }),
  );
  expect(await all(writers[0].read('a', { from: 301 }))).toMatchObject([{ mark: 'success/0' }]);
  expect(await all(reader.read('a', { from: 301 }))).toMatchObject([{ version: 301, mark: 'success/0' }]);
  for (const log of [reader, ...writers]) await log.close();
});

test('a concurrent upgrade by another process is not repeated', async () => {
  const path = await storeOfVersion1();
  const other = new Worker(SLOW_UPGRADE, { eval: true, workerData: path });
  const exited = once(other, 'exit');
  await once(other, 'message');
  // Waits here for the lock, having seen that the store is from before.
  const log = openSqliteLog(path, { mode: 'write' });
  await exited;
  expect(await all(log.read('a', { from: 300 }))).toMatchObject([{ version: 300, mark: null }]);
  await log.close();
});

const SLOW_UPGRADE = `
  const { DatabaseSync } = require('node:sqlite');
  const { parentPort, workerData } = require('node:worker_threads');
  const db = new DatabaseSync(workerData);
  db.exec('BEGIN IMMEDIATE');
  parentPort.postMessage('locked');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
  db.exec('ALTER TABLE events ADD COLUMN mark TEXT; PRAGMA user_version = 2; COMMIT');
  db.close();
`;
