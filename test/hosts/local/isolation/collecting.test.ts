import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readRecord, writeRecord } from '../../../../src/git/worktree/worktree-record.ts';
import { placeAt } from '../../../../src/git/worktree/worktree-place.ts';
import { noChange } from '../../../../src/cli/pages/print-patch.ts';
import { collectGarbage } from '../../../../src/app/isolation/garbage.ts';
import { GONE_CAPTURES_KEPT_MS } from '../../../../src/app/isolation/forgotten-captures.ts';
import { DAMAGED_RECORD_KEPT_MS, LEAVING_MS } from '../../../../src/app/isolation/leftover.ts';
import { memoryLog, openSqliteLog } from '../../../../src/log/sqlite/engine.ts';
import { git, repository, temporaryFolder } from '../../../git/repository.ts';
import { testInTurn } from '../../../support/in-turn.ts';
import { tenthOf } from '../../../support/tenth.ts';
import { emptied, leftPaused, working, worktreesOf } from './isolated.ts';

/** Runs of which git keeps captures. */
const capturedIn = async (git: (...args: string[]) => Promise<string>) => {
  const refs = await git('for-each-ref', '--format=%(refname)', 'refs/loopfold');
  return [...new Set([...refs.matchAll(/^refs\/loopfold\/([^/]+)/gm)].map(([, run]) => run))];
};

testInTurn('X4 of many runs nothing is left but what can be resumed, and branches of a person', async () => {
  const { root, commit, git } = await repository({ 'a.txt': '1' });
  await commit();
  await git('branch', 'loopfold/asked-for');
  const log = memoryLog();
  const resumable = await leftPaused(root, { log });
  for (const index of tenthOf(Array.from({ length: 100 }, (_, index) => index))) {
    const { loops, live } = await leftPaused(root, { log });
    // Ended by a command, with no process that works on it: its worktree stays.
    if (index % 2 === 0) await loops().abort(live.run);
    else await (await working(async () => '', { log }).isolated(root)).done;
    if (index % 2 === 1) await loops().abort(live.run);
  }
  const later = Date.now() + LEAVING_MS;
  expect((await collectGarbage(log, root, { now: later, isDryRun: true })).removed.length).toBeGreaterThan(0);
  const { removed, kept } = await collectGarbage(log, root, { now: later });
  expect(removed.every(({ verdict }) => verdict.because === 'its run has ended')).toBe(true);
  expect(kept.map(({ run }) => run)).toEqual([resumable.live.run]);
  expect(await worktreesOf(root)).toEqual([
    resumable.live.run,
    `${resumable.live.run}.index`,
    `${resumable.live.run}.json`,
  ]);
  expect(await git('worktree', 'list', '--porcelain')).toMatch(/^worktree [^\n]+\nHEAD/);
  expect(await git('branch', '--format=%(refname:short)')).toBe('loopfold/asked-for\nmain\n');
});

testInTurn('X4 the refs of runs that are kept are packed, and name what they named', async () => {
  const { root, commit, git } = await repository({ 'a.txt': '1' });
  await commit();
  const log = memoryLog();
  const live = await working(async () => '', { log }).isolated(root);
  await live.done;
  const loose = () => readdir(join(root, '.git/refs/loopfold')).catch(() => []);
  const refs = await git('for-each-ref');
  await collectGarbage(log, root, { isDryRun: true });
  expect(await loose()).toEqual([live.run]);
  await collectGarbage(log, root);
  expect(await loose()).toEqual([]);
  expect(refs).toContain(`refs/loopfold/${live.run}/end`);
  expect(await git('for-each-ref')).toBe(refs);
});

testInTurn('X4 a run that was ended without a process is captured before its worktree is removed', async () => {
  const { root, commit, git, filesOf } = await repository({ 'a.txt': '1' });
  await commit();
  const { loops, live, log } = await leftPaused(root, {
    work: async ({ directory }) => writeFile(join(directory, 'b.txt'), 'b'),
  });
  await git('update-ref', '-d', `refs/loopfold/${live.run}/end`);
  await loops().abort(live.run);
  await collectGarbage(log, root, { now: Date.now() + LEAVING_MS });
  expect(await filesOf(`refs/loopfold/${live.run}/end`)).toEqual({ 'a.txt': '1', 'b.txt': 'b' });
  expect(await worktreesOf(root)).toEqual([]);
});

const WEEK = () => Date.now() + GONE_CAPTURES_KEPT_MS + 60_000;

/** A log in a file, with a run that has ended and one that was left paused. */
async function logWithRuns(root: string) {
  const path = join(await temporaryFolder(), 'log.db');
  const log = openSqliteLog(path);
  const live = await working(async () => '', { log }).isolated(root);
  await live.done;
  const { live: paused } = await leftPaused(root, { log });
  await log.close();
  return { path, ended: live.run, paused: paused.run };
}

testInTurn('X4 captures of runs that their own log does not have are removed after a week', async () => {
  const { root, commit, git } = await repository({ 'a.txt': '1' });
  await commit();
  const { path, ended, paused } = await logWithRuns(root);
  await emptied(path);
  expect(await collectGarbage(null, root)).toMatchObject({ forgotten: [], unknown: [] });
  expect(await collectGarbage(null, root, { now: WEEK(), isDryRun: true })).toMatchObject({ forgotten: [ended] });
  expect(await capturedIn(git)).toEqual([ended, paused]);
  expect(await collectGarbage(null, root, { now: WEEK() })).toMatchObject({ forgotten: [ended], unknown: [] });
  expect(await capturedIn(git)).toEqual([paused]);
});

testInTurn('X4 gc with one log removes no capture of another log, also of a run that has ended', async () => {
  const { root, commit, git } = await repository({ 'a.txt': '1' });
  await commit();
  const { ended, paused } = await logWithRuns(root);
  const inMemory = await working(async () => '').isolated(root);
  await inMemory.done;
  const log = memoryLog();
  expect(await collectGarbage(log, root, { now: WEEK() })).toMatchObject({ forgotten: [], unknown: [] });
  expect(await capturedIn(git)).toEqual([ended, paused, inMemory.run]);
});

testInTurn.each([
  [
    'no record of its log',
    async (root: string, run: string) => git(root, 'update-ref', '-d', `refs/loopfold/${run}/log`),
  ],
  ['its log is not there', async (_root: string, _run: string, path: string) => rm(path)],
  ['its log is no log', async (_root: string, _run: string, path: string) => writeFile(path, 'no log')],
])('X4 captures are kept and counted: %s', async (_, damage) => {
  const { root, commit, git: inRoot } = await repository({ 'a.txt': '1' });
  await commit();
  const { path, ended, paused } = await logWithRuns(root);
  await damage(root, ended, path);
  const garbage = await collectGarbage(memoryLog(), root, { now: WEEK() });
  expect(garbage).toMatchObject({ forgotten: [], unknown: expect.arrayContaining([ended]) });
  expect(await capturedIn(inRoot)).toEqual([ended, paused]);
});

testInTurn('X4 the last capture of a worktree outlives the gc that makes it', async () => {
  const { root, commit, git: inRoot, filesOf } = await repository({ 'a.txt': '1' });
  await commit();
  const path = join(await temporaryFolder(), 'log.db');
  const log = openSqliteLog(path);
  const work = async ({ directory }: { directory: string }) => writeFile(join(directory, 'b.txt'), 'b');
  const { live } = await leftPaused(root, { log, work });
  await log.close();
  await inRoot('update-ref', '-d', `refs/loopfold/${live.run}/end`);
  await emptied(path);
  const place = placeAt(join(root, '.loopfold/worktrees', live.run));
  const record = await readRecord(place);
  if (!record) throw new Error('no record');
  await writeRecord(place, { ...record, by: { ...record.by, processStart: 'of a process that is gone' } });
  const { removed, forgotten } = await collectGarbage(null, root, { now: WEEK() });
  expect([removed.map(({ run }) => run), forgotten]).toEqual([[live.run], []]);
  expect(await filesOf(`refs/loopfold/${live.run}/end`)).toEqual({ 'a.txt': '1', 'b.txt': 'b' });
});

test('X4 a folder without a record is removed once no process can be making it', async () => {
  const { root, commit } = await repository({ 'a.txt': '1' });
  await commit();
  await mkdir(join(root, '.loopfold/worktrees/found'), { recursive: true });
  await writeFile(join(root, '.loopfold/worktrees/found.json'), 'no record');
  const kept = await collectGarbage(null, root);
  expect(kept.kept).toMatchObject([{ run: null, verdict: { because: 'it has no record yet' } }]);
  await collectGarbage(null, root, { now: Date.now() + DAMAGED_RECORD_KEPT_MS + 60_000 });
  expect(await worktreesOf(root)).toEqual([]);
});

testInTurn(
  'X4 a run that was ended without a process says where what it left is, and gc then captures it',
  async () => {
    const { root, commit, git } = await repository({ 'a.txt': '1' });
    await commit();
    const { loops, live, log } = await leftPaused(root, {
      work: async ({ directory }) => writeFile(join(directory, 'b.txt'), 'b'),
    });
    await git('update-ref', '-d', `refs/loopfold/${live.run}/end`);
    const message = (text: RegExp) => ({ kind: 'no_capture', message: expect.stringMatching(text) });
    expect(await loops().diff(live.run)).toMatchObject(message(/Resume it/));
    await loops().abort(live.run);
    expect(await loops().diff(live.run)).toMatchObject(message(/is in \S+worktrees\S+: loopfold gc captures it/));
    await collectGarbage(log, root, { now: Date.now() + LEAVING_MS });
    expect(await loops().diff(live.run)).toMatchObject({ files: [{ path: 'b.txt' }] });
  },
);

testInTurn('X4 diff of a run that ended without its capture suggests gc, and has the change after that', async () => {
  const { root, commit, git } = await repository({ 'a.txt': '1', '.gitignore': '.loopfold' });
  await commit();
  const log = memoryLog();
  const work = async ({ directory }: { directory: string }) => writeFile(join(directory, 'b.txt'), 'b');
  const { loops, live } = await leftPaused(root, { log, work });
  // As after a kill: its process captured nothing.
  await git('update-ref', '-d', `refs/loopfold/${live.run}/end`);
  await loops().abort(live.run);
  const change = await loops().diff(live.run);
  expect(change).toMatchObject({ kind: 'no_capture', remedy: 'gc' });
  if (change.kind === 'change') throw new Error('it has a change');
  expect(noChange('diff', change)).toMatchObject({ message: expect.stringMatching(/loopfold gc/), next: ['gc'] });
  await collectGarbage(log, root, { now: Date.now() + LEAVING_MS });
  expect(await loops().diff(live.run)).toMatchObject({ kind: 'change', files: [{ path: 'b.txt' }] });
});
