import { copyFileSync, cpSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, expect, test } from 'vitest';
import { LogError } from '../../src/log/log.ts';
import { openSqliteLog } from '../../src/log/sqlite/engine.ts';
import { TABLES } from '../../src/log/sqlite/schema.ts';
import { testInTurn } from '../support/in-turn.ts';
import { all, appended, elsewhere, fact, take } from '../../src/testing/log-contract/contract.ts';
import { temporaryStore } from './store.ts';

// Each column of each table, with each value that it cannot have: no other test has to think of them one by one.

const URL = 'http://127.0.0.1:9/hook';
const webhooks = [URL, `${URL}/2`].map((url) => ({ url, secretVariable: null, statuses: ['started'] }));
const tables = new Map<string, readonly string[]>();
let sound = '';

/** A root, a child and a continuation; commands and reports in each of their states. */
beforeAll(async () => {
  sound = temporaryStore();
  const log = openSqliteLog(sound);
  const lease = await take(log, 'a', elsewhere('1'));
  const { epoch } = lease;
  const at = new Date().toISOString();
  const started = fact({ settings: { webhooks } }, { type: 'run.started', at });
  const body = JSON.stringify({ run: 'a', at, reason: 'begun' });
  const reports = webhooks.map(({ url }) => ({ version: 1, url, secretVariable: null, body }));
  await appended(log.append({ run: 'a', events: [started], expectedVersion: 0, epoch, reports }));
  for (const [version, text] of [
    [1, 'left'],
    [2, 'x'.repeat(70_000)],
  ] as const) {
    const { id } = await log.post('a', { type: 'run.steered', payload: { text } });
    const steered = fact({ text }, { type: 'run.steered', at });
    await appended(log.append({ run: 'a', events: [steered], expectedVersion: version, epoch, delivers: [id] }));
  }
  const { id } = await log.post('a', { type: 'run.steered', payload: { text: 'too late' } });
  await log.reject(id, 'not now');
  await log.post('a', { type: 'abort.requested', payload: null });
  const child = fact({ settings: { parent: { effect: 'a/2/0' } } }, { type: 'run.started' });
  await appended(log.append({ run: 'b', events: [child], expectedVersion: 0, epoch, parentEffect: 'a/2/0' }));
  const [, second] = await all(log.read('a'));
  await log.saveSnapshot({ run: 'a', version: 2, hash: second?.hash ?? '', machine: 'turn@1', state: {} });
  await log.fork({ from: 'a', at: 1, to: 'c' });
  const other = await take(log, 'c');
  await appended(log.append({ run: 'c', events: [fact()], expectedVersion: 1, epoch: other.epoch }));
  const by = elsewhere('2');
  const claimed = await log.claimReport({ by, variables: [], forMs: 10_000 });
  if (claimed) await log.reportDelivered(claimed, by);
  await log.claimReport({ by, variables: [], forMs: 10_000 });
  await log.close();
  const db = new DatabaseSync(sound);
  const named = db.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'`).all();
  for (const { name } of named as { name: string }[]) {
    const columns = db.prepare('SELECT name FROM pragma_table_info(?)').all(name) as { name: string }[];
    tables.set(
      name,
      columns.map((column) => column.name),
    );
  }
  db.close();
});

const VALUES = ['NULL', `'x'`, `x'00'`, '-1', '0', '5', '9007199254740991', '9223372036854775807', '1.5'];

/** What is no event and does not show whether it was edited, with what such an edit does. */
const SILENT: ReadonlyMap<string, string> = new Map([
  ['events.position', 'it has its order only'],
  ['events.mark', 'a replay compares it'],
  ['leases.epoch', 'epochs only rise'],
  ['leases.holder', 'a lease that is given back'],
  ['leases.expires_at', 'a lease that has expired'],
  ['inbox.id', 'it has its order only'],
  ['inbox.payload', 'the words of a command that was delivered: its event counts'],
  ['snapshots.machine', 'a state of another machine is not used'],
  ['snapshots.state', 'a replay compares its digest'],
  ['outbox.key', 'it has its order only'],
  ['outbox.attempts', 'how far it was tried'],
  ['outbox.last_error', 'how far it was tried'],
  ['outbox.claimed_by', 'earlier versions wrote an id'],
  ['outbox.claimed_until', 'a claim that has expired'],
]);

/** The sound store with one value in one row, which its schema need not allow: a damaged page holds anything. */
function edited(table: string, column: string, value: string, row: number): string | null {
  const path = temporaryStore();
  copyFileSync(sound, path);
  cpSync(`${sound}.heads`, `${path}.heads`, { recursive: true });
  const db = new DatabaseSync(path);
  const schema = db.prepare(`SELECT name, sql FROM sqlite_schema WHERE type = 'table'`).all() as object[];
  db.enableDefensive(false);
  db.exec('PRAGMA writable_schema = 1');
  db.exec(
    `UPDATE sqlite_schema SET sql = replace(replace(sql, ' NOT NULL', ''), ') STRICT', ')') WHERE type = 'table'`,
  );
  db.exec(`UPDATE sqlite_schema SET sql = replace(sql, '), WITHOUT', ') WITHOUT')`);
  db.close();
  const loose = new DatabaseSync(path);
  loose.enableDefensive(false);
  const key = table === 'leases' ? 'root' : 'rowid';
  const of = `WHERE ${key} = (SELECT ${key} FROM ${table} ORDER BY ${key} LIMIT 1 OFFSET ${row})`;
  let isEdited = false;
  try {
    isEdited =
      loose.prepare(`UPDATE ${table} SET ${column} = ${value} ${of} AND ${column} IS NOT ${value}`).run().changes > 0;
  } catch {
    // Keys of rows are whole numbers in any file.
  }
  loose.exec('PRAGMA writable_schema = 1');
  const restore = loose.prepare('UPDATE sqlite_schema SET sql = ? WHERE name = ?');
  for (const { name, sql } of schema as { name: string; sql: string }[]) restore.run(sql, name);
  loose.close();
  return isEdited ? path : null;
}

/** Whether opening, verifying or auditing says that something is wrong. Throws what is no failure of a log. */
async function isNamed(path: string): Promise<boolean> {
  try {
    const log = openSqliteLog(path, { mode: 'read' });
    try {
      if ((await log.audit()).length > 0) return true;
      for (const { run } of await log.runs()) if ((await log.verifyTree(run)).kind === 'broken') return true;
      return false;
    } finally {
      await log.close();
    }
  } catch (error) {
    if (error instanceof LogError && ['damaged', 'diverged'].includes(error.kind)) return true;
    throw error;
  }
}

test('a store as its programs have left it has nothing to name, and all of its tables are tried', async () => {
  expect(await isNamed(sound)).toBe(false);
  expect([...tables.keys()].toSorted()).toEqual([...TABLES.keys()].toSorted());
});

testInTurn.each([...TABLES.keys()])(
  'a value that no program of ours writes is named, in each column of %s',
  async (table) => {
    const silent = new Set<string>();
    for (const column of tables.get(table) ?? [])
      for (const value of VALUES)
        for (const row of [0, 1]) {
          const path = edited(table, column, value, row);
          if (path !== null && !(await isNamed(path))) silent.add(`${table}.${column}`);
        }
    const expected = [...SILENT.keys()].filter((name) => name.startsWith(`${table}.`));
    expect([...silent].toSorted()).toEqual(expected.toSorted());
  },
);
