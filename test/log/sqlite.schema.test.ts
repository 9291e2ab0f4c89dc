import { expect, test } from 'vitest';
import { openSqliteLog } from '../../src/log/sqlite/engine.ts';
import { closedStore, edit, everythingAt, failure } from './damaging.ts';
import { all } from '../../src/testing/log-contract/contract.ts';

const REWRITES = `AFTER INSERT ON events BEGIN UPDATE events SET payload = '{}' WHERE position = new.position; END`;

test.each([
  ['a foreign trigger', `CREATE TRIGGER evil ${REWRITES}`, 'the trigger evil does not belong to a log'],
  [
    'a trigger of ours that does something else',
    `DROP TRIGGER outbox_enters; CREATE TRIGGER outbox_enters ${REWRITES}`,
    'the trigger outbox_enters is another one than in a log',
  ],
  ['a trigger that is gone', 'DROP TRIGGER outbox_leaves', 'the trigger outbox_leaves is missing'],
  ['an index that is gone', 'DROP INDEX events_of_run', 'the index events_of_run is missing'],
  ['a table that is gone', 'DROP TABLE types', 'types'],
])('a store with %s is not opened to be written, and is left as it was', async (_, sql, said) => {
  const path = await closedStore(3);
  edit(path, ...sql.split('; CREATE').map((part, index) => (index === 0 ? part : `CREATE${part}`)));
  const before = everythingAt(path);
  for (const mode of ['create', 'write'] as const)
    expect(failure(() => openSqliteLog(path, { mode }))).toMatchObject({
      kind: 'damaged',
      message: expect.stringContaining(said),
      remedy: expect.stringContaining('check --repair FILE'),
    });
  expect(everythingAt(path)).toEqual(before);
});

test('such a store is still read, and its audit names the trigger', async () => {
  const path = await closedStore(3);
  edit(path, `CREATE TRIGGER evil ${REWRITES}`, 'CREATE TRIGGER later AFTER DELETE ON runs BEGIN SELECT 1; END');
  const log = openSqliteLog(path, { mode: 'read' });
  expect(await all(log.read('a'))).toHaveLength(3);
  expect((await log.audit()).map(({ reason }) => reason)).toEqual([
    'the trigger evil does not belong to a log',
    'the trigger later does not belong to a log',
  ]);
  await log.close();
});
