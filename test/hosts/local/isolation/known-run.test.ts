import { mkdir, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { knownRun } from '../../../../src/hosts/local/isolation/known-run.ts';
import { addressOf } from '../../../../src/log/log-files.ts';
import { readRecord } from '../../../../src/actors/workspace/worktree-record.ts';
import { placeAt } from '../../../../src/actors/worktree-place.ts';
import { memoryLog } from '../../../../src/log/memory/engine.ts';
import { openSqliteLog } from '../../../../src/log/sqlite/engine.ts';
import { repository, temporaryFolder } from '../../../actors/workspace/repository.ts';
import { leftPaused } from './isolated.ts';

test('X4 a run is found in the log that its record names, however that was named', async () => {
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
  expect(await knownRun(record, { log: elsewhere, beside })).toMatchObject({ kind: 'known', isClosed: false });
  await rm(folder, { recursive: true });
  expect(await knownRun(record, { log: elsewhere, beside })).toEqual({ kind: 'lost_log', store: record.store });
  await mkdir(join(folder, 'log.db'), { recursive: true });
  expect(await knownRun(record, { log: null, beside })).toMatchObject({ kind: 'unreadable' });
  expect(await knownRun({ ...record, store: addressOf(elsewhere) }, { log: null, beside })).toEqual({ kind: 'no_log' });
  expect(await knownRun({ ...record, store: 'other:place' }, { log: null, beside })).toMatchObject({
    kind: 'unreadable',
  });
});
