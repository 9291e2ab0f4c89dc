import { expect, test } from 'vitest';
import { failureOf } from '../../src/log/sqlite/failure.ts';

test('a log that cannot be written names every file that SQLite writes', () => {
  const readOnly = Object.assign(new Error('attempt to write a readonly database'), { errcode: 8 });
  const said = String(failureOf('log.db', readOnly));
  for (const file of ['log.db', 'log.db-wal', 'log.db-shm']) expect(said).toMatch(new RegExp(`${file}[, ]`));
});
