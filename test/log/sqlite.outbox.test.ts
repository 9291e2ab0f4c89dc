import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { openSqliteLog } from '../../src/log/sqlite/engine.ts';
import { CLAIMANTS, DUE } from '../../src/log/sqlite/outbox-table.ts';
import { temporaryStore } from './store.ts';

test.each([
  ['for what is due', DUE, [0, '[]', '[]'], /^SEARCH outbox USING INDEX outbox_heads \(next_try_at<\?\)$/],
  ['for claims', CLAIMANTS, [0, ''], /^SEARCH outbox USING INDEX outbox_claimed \(claimed_until>\?\)$/],
])('R11 a look %s reads no row behind the first of its run and URL', async (_, sql, values, reads) => {
  const path = temporaryStore();
  await openSqliteLog(path).close();
  const db = new DatabaseSync(path, { readOnly: true });
  const plan = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...values);
  db.close();
  const details = plan.map(({ detail }) => String(detail));
  expect(details.filter((detail) => detail.includes(' outbox'))).toEqual([expect.stringMatching(reads)]);
  expect(details).not.toContain('USE TEMP B-TREE FOR ORDER BY');
});
