import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSqliteLog } from '../../src/log/sqlite/engine.ts';
import { repairStore } from '../../src/log/sqlite/repair.ts';
import { history } from '../../src/testing/log-contract/contract.ts';
import { temporaryFolder } from '../git/repository.ts';

test.each(['', '-wal', '-shm', '-journal'])('a pipe at log.db%s is named, and never waited for', async (suffix) => {
  const path = join(await temporaryFolder(), 'log.db');
  const log = openSqliteLog(path);
  await history(log, 'a', 1);
  await log.close();
  rmSync(path + suffix, { force: true });
  execFileSync('/bin/sh', ['-c', 'mkfifo "$1"', 'sh', path + suffix]);
  const named = expect.objectContaining({
    kind: 'unavailable',
    message: expect.stringContaining(`${path}${suffix} is no file`),
  });
  for (const mode of ['create', 'write', 'read'] as const) {
    expect(() => openSqliteLog(path, { mode })).toThrow(named);
  }
  const saved = join(await temporaryFolder(), 'saved.db');
  expect(() => repairStore(path, saved)).toThrow(named);
});
