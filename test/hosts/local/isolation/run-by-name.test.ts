import { mkdir, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { knownRun, withOtherLogs } from '../../../../src/app/isolation/run-by-name.ts';
import { addressOf, fileOf } from '../../../../src/log/log-files.ts';
import { readRecord } from '../../../../src/git/worktree/worktree-record.ts';
import { placeAt } from '../../../../src/git/worktree/worktree-place.ts';
import type { Log } from '../../../../src/log/log.ts';
import { memoryLog, openSqliteLog } from '../../../../src/log/sqlite/engine.ts';
import { repository, temporaryFolder } from '../../../git/repository.ts';
import { testInTurn } from '../../../support/in-turn.ts';
import { leftPaused } from './isolated.ts';

testInTurn('X4 a run is found in the log that its record names, however that was named', async () => {
  const { root, commit } = await repository({ 'a.txt': '1' });
  await commit();
  const folder = await temporaryFolder();
  const log = openSqliteLog(relative(process.cwd(), join(folder, 'log.db')));
  const { live } = await leftPaused(root, { log });
  await log.close();
  const record = await readRecord(placeAt(join(root, '.loopfold/worktrees', live.run)));
  if (!record) throw new Error('no record');
  expect(record.store).toBe(join(folder, 'log.db'));
  const elsewhere = memoryLog();
  const beside = join(root, '.loopfold/log.db');
  const known = (named: Parameters<typeof knownRun>[0], own: Log | null) =>
    withOtherLogs((others) => knownRun(named, { log: own, beside, others }));
  expect(await known(record, elsewhere)).toMatchObject({ kind: 'known', isClosed: false });
  await rm(folder, { recursive: true });
  expect(await known(record, elsewhere)).toEqual({ kind: 'lost_log', store: record.store });
  await mkdir(folder);
  const later = openSqliteLog(record.store);
  expect(await known(record, elsewhere)).toEqual({ kind: 'lost_log', store: record.store });
  expect(await known(record, later)).toEqual({ kind: 'lost_log', store: record.store });
  expect(await known({ ...record, storeFile: fileOf(record.store) }, later)).toEqual({ kind: 'unknown_run' });
  await later.close();
  await rm(folder, { recursive: true });
  await mkdir(join(folder, 'log.db'), { recursive: true });
  expect(await known(record, null)).toMatchObject({ kind: 'unreadable' });
  expect(await known({ ...record, store: addressOf(elsewhere) }, null)).toEqual({
    kind: 'no_log',
  });
  expect(await known({ ...record, store: 'other:place' }, null)).toMatchObject({
    kind: 'unreadable',
  });
});

test('X4 a log that many worktrees name is opened once, and closed in the end', async () => {
  const path = join(await temporaryFolder(), 'log.db');
  await openSqliteLog(path).close();
  const log = await withOtherLogs(async (others) => {
    const first = await others.open(path);
    expect(await others.open(path)).toBe(first);
    return first;
  });
  await expect(log.runs()).rejects.toThrow('the log was closed');
});
