import { truncateSync } from 'node:fs';
import { expect, test } from 'vitest';
import { failureOf } from '../../src/log/sqlite/failure.ts';
import { closedStore } from './damaging.ts';

test('a log that cannot be written names every file that SQLite writes', () => {
  const readOnly = Object.assign(new Error('attempt to write a readonly database'), { errcode: 8 });
  const said = String(failureOf('log.db', readOnly));
  for (const file of ['log.db', 'log.db-wal', 'log.db-shm']) expect(said).toMatch(new RegExp(`${file}[, ]`));
});

test('B5 a page that was malformed once is damage only where it is so at a second look', async () => {
  const path = await closedStore();
  const malformed = Object.assign(new Error('database disk image is malformed'), { errcode: 11 });
  expect(failureOf(path, malformed)).toMatchObject({
    kind: 'unavailable',
    message: expect.stringContaining('whole now'),
  });
  truncateSync(path, 4096);
  expect(failureOf(path, malformed)).toMatchObject({ kind: 'damaged' });
});
