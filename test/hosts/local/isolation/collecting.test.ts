import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { collectGarbage } from '../../../../src/hosts/local/isolation/garbage.ts';
import { FOREIGN_CAPTURES_KEPT_MS } from '../../../../src/hosts/local/isolation/forgotten-captures.ts';
import { DAMAGED_RECORD_KEPT_MS, LEAVING_MS } from '../../../../src/hosts/local/isolation/leftover.ts';
import { memoryLog } from '../../../../src/log/memory/engine.ts';
import { repository } from '../../../actors/workspace/repository.ts';
import { tenthOf } from '../../../support/tenth.ts';
import { leftPaused, working, worktreesOf } from './isolated.ts';

/** Runs of which git keeps captures. */
const capturedIn = async (git: (...args: string[]) => Promise<string>) => {
  const refs = await git('for-each-ref', '--format=%(refname)', 'refs/loopfold');
  return [...new Set([...refs.matchAll(/^refs\/loopfold\/([^/]+)/gm)].map(([, run]) => run))];
};

test('X4 of many runs nothing is left but what can be resumed, and branches of a person', async () => {
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

test('X4 a run that was ended without a process is captured before its worktree is removed', async () => {
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

test('X4 captures of runs that no log has are removed after a week, others never', async () => {
  const { root, commit, git } = await repository({ 'a.txt': '1' });
  await commit();
  const { isolated, log } = working(async () => '');
  const live = await isolated(root);
  await live.done;
  const open = await leftPaused(root, { log: memoryLog() });
  const week = Date.now() + FOREIGN_CAPTURES_KEPT_MS;
  const other = memoryLog();
  expect((await collectGarbage(other, root)).forgotten).toEqual([]);
  expect(await capturedIn(git)).toEqual([live.run, open.live.run]);
  expect((await collectGarbage(log, root, { now: week })).forgotten).toEqual([]);
  expect((await collectGarbage(other, root, { now: week })).forgotten).toEqual([live.run]);
  expect(await capturedIn(git)).toEqual([open.live.run]);
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

test('X4 a run that was ended without a process says where what it left is, and gc then captures it', async () => {
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
});
