import { expect, test } from 'vitest';
import { LogError } from '../../src/log/log.ts';
import { openSqliteLog } from '../../src/log/sqlite/engine.ts';
import { DatabaseSync } from 'node:sqlite';
import { all, appended, fact, take } from '../../src/testing/log-contract/contract.ts';
import { temporaryStore } from './store.ts';

/** Changes a store against its own schema, as a damaged page does. */
function force(path: string, sql: string): void {
  const db = new DatabaseSync(path);
  db.exec('PRAGMA ignore_check_constraints = 1');
  db.enableDefensive(false);
  db.exec(`PRAGMA writable_schema = 1; UPDATE sqlite_schema SET sql = replace(sql, 'STRICT', ''); PRAGMA user_version`);
  db.close();
  const loose = new DatabaseSync(path);
  loose.exec(sql);
  loose.close();
}

async function store(): Promise<string> {
  const path = temporaryStore();
  const log = openSqliteLog(path);
  const { epoch } = await take(log, 'a');
  await appended(log.append({ run: 'a', events: [fact(), fact()], expectedVersion: 0, epoch }));
  await log.post('a', { type: 'abort.requested', payload: null });
  await log.close();
  return path;
}

test.for<readonly [what: string, sql: string]>([
  ['a hash that is a number', 'UPDATE events SET hash = 7 WHERE version = 1'],
  ['a hash that is too short', `UPDATE events SET hash = x'00' WHERE version = 1`],
  ['a time that no date can name', 'UPDATE events SET at = 9000000000000000000 WHERE version = 1'],
  ['a time that is a text', `UPDATE events SET at = 'noon' WHERE version = 1`],
  ['a payload that is bytes', `UPDATE events SET payload = x'00ff' WHERE version = 1`],
  ['a salt that is a text', `UPDATE events SET salt = 'salt' WHERE version = 1`],
  ['an epoch below zero', 'UPDATE events SET epoch = -1 WHERE version = 1'],
  ['an epoch that has no next one', 'UPDATE events SET epoch = 9007199254740991 WHERE version = 1'],
  ['a lease whose epoch has no next one', 'UPDATE leases SET epoch = 9007199254740991'],
  ['an effect that names no run', `UPDATE runs SET parent_effect = 'tmp'`],
  ['a run created at no time', `UPDATE runs SET created_at = 'never'`],
  ['a holder that is no JSON', `UPDATE leases SET holder = '{'`],
  ['a holder that is no process', `UPDATE leases SET holder = '{"pid":"one"}'`],
  ['an expiry that is a text', `UPDATE leases SET expires_at = 'soon'`],
  ['a command that is no JSON', `UPDATE inbox SET payload = '{'`],
  ['a column of runs with another name', 'ALTER TABLE runs RENAME COLUMN prefix TO trefix'],
  ['endings with another name', 'ALTER TABLE runs RENAME COLUMN closed TO blosed'],
  ['a column of commands with another name', 'ALTER TABLE inbox RENAME COLUMN rejected TO sejected'],
  ['a command at no time', `UPDATE inbox SET at = 9000000000000000000`],
])('%s is damage, with what to do', async ([, sql]) => {
  const path = await store();
  force(path, sql);
  const ask = async () => {
    const log = openSqliteLog(path, { mode: 'read' });
    try {
      for (const { run } of await log.runs()) {
        await all(log.read(run));
        await log.holder(run);
        await log.inbox(run);
      }
    } finally {
      await log.close();
    }
  };
  await expect(ask()).rejects.toBeInstanceOf(LogError);
  await expect(ask()).rejects.toMatchObject({
    kind: 'damaged',
    message: expect.stringContaining('Restore it from a copy'),
  });
});
