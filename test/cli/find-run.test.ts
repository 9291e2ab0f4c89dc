import { expect, test } from 'vitest';
import { findRun } from '../../src/cli/args/find-run.ts';
import { openSqliteLog } from '../../src/log/sqlite/engine.ts';
import { standingOf } from '../../src/app/views/run-status.ts';
import { edit } from '../log/damaging.ts';
import { history } from '../../src/testing/log-contract/contract.ts';
import { temporaryStore } from '../log/store.ts';

test.each([
  ['its id', { run: 'run-second', last: false }],
  ['the end of its id', { run: 'second', last: false }],
  ['being the newest', { run: undefined, last: true }],
])('a run that is listed in the tree of another one is refused, named by %s', async (_, reference) => {
  const path = temporaryStore();
  const log = openSqliteLog(path);
  for (const run of ['run-first', 'run-second']) await log.release(await history(log, run, 2));
  expect(await findRun(log, reference)).toMatchObject({ run: 'run-second', root: 'run-second' });
  edit(path, `UPDATE runs SET root = 'run-first' WHERE run = 'run-second'`);
  const message = expect.stringContaining('run run-second is listed in the tree of run-first');
  await expect(findRun(log, reference)).rejects.toMatchObject({ kind: 'damaged', message });
  await log.close();
});

test('a run that is listed in the tree of another one has its place in the list of runs', async () => {
  const path = temporaryStore();
  const log = openSqliteLog(path);
  for (const run of ['run-first', 'run-second']) await log.release(await history(log, run, 2));
  edit(path, `UPDATE runs SET root = 'run-first' WHERE run = 'run-second'`);
  for (const record of (await log.newest(2)).runs)
    expect(await standingOf(log, record, [])).toEqual({ kind: 'interrupted', questions: [] });
  await log.close();
});
