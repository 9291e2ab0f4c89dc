import { expect, test } from 'vitest';
import { openSqliteLog } from '../../src/log/sqlite/engine.ts';
import { repairStore } from '../../src/log/sqlite/repair.ts';
import { edit } from './damaging.ts';
import { appended, fact, take } from '../../src/testing/log-contract/contract.ts';
import { temporaryStore } from './store.ts';

const STEERED = 'run.steered';

/** A run to which the same text was sent three times: delivered, rejected, waiting. And an answer that waits. */
async function store(): Promise<string> {
  const path = temporaryStore();
  const log = openSqliteLog(path);
  const lease = await take(log, 'a');
  const at = new Date().toISOString();
  await appended(log.append({ run: 'a', events: [fact()], expectedVersion: 0, epoch: lease.epoch }));
  const text = { text: 'More.' };
  const { id } = await log.post('a', { type: STEERED, payload: text });
  const events = [fact(text, { type: STEERED, at })];
  await appended(log.append({ run: 'a', events, expectedVersion: 1, epoch: lease.epoch, delivers: [id] }));
  await log.reject((await log.post('a', { type: STEERED, payload: text })).id, 'not now');
  await log.post('a', { type: STEERED, payload: text });
  await log.post('a', { type: 'person.answered', payload: 'x'.repeat(70_000) });
  await log.release(lease);
  await log.close();
  return path;
}

test('a repair saves the commands that wait, and those that were delivered or rejected before them', async () => {
  const path = await store();
  const into = temporaryStore();
  expect(repairStore(path, into).commands).toEqual({ saved: 2, lost: [] });
  const [before, after] = [openSqliteLog(path), openSqliteLog(into)];
  expect(await after.inbox('a')).toEqual(await before.inbox('a'));
  expect(await after.inbox('a')).toMatchObject([{ id: 3 }, { id: 4 }]);
  for (const id of [1, 2]) expect(await after.entry(id)).toEqual(await before.entry(id));
  expect(await after.audit()).toEqual([]);
  for (const log of [before, after]) await log.close();
});

test.for<readonly [sql: string, command: string, reason: string]>([
  [`UPDATE inbox SET payload = '{' WHERE id = 3`, '3', 'the column payload holds no JSON'],
  [`UPDATE inbox SET run = 'b' WHERE id = 3`, '3', 'it is for run b, which is not in the log'],
  [`UPDATE inbox SET root = 'b' WHERE id = 3`, '3', 'it is for run a of the tree a, and is listed for b'],
  ['UPDATE inbox SET at = 9223372036854775807 WHERE id = 3', '3', 'it cannot be read'],
  [
    'DELETE FROM inbox WHERE id = 3; UPDATE inbox SET delivered = NULL WHERE id = 1',
    '1',
    'it waits, and a/2 is such a command',
  ],
  ['DROP TABLE inbox', 'table inbox', 'it cannot be read to its end (no such table: inbox)'],
])('a waiting command that is not saved is named: %s', async ([sql, command, reason]) => {
  const path = await store();
  edit(path, sql);
  const { commands } = repairStore(path, temporaryStore());
  expect(commands.lost).toEqual([{ command, reason: expect.stringContaining(reason) }]);
  expect(commands.saved).toBe(command === 'table inbox' ? 0 : 1);
});
