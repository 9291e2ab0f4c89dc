import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LogError } from '../../../../src/log/log.ts';
import { memoryLog } from '../../../../src/log/sqlite/engine.ts';
import { git, repository } from '../../../git/repository.ts';
import { aroundAppend } from '../../../support/around-append.ts';
import { testInTurn } from '../../../support/in-turn.ts';
import { factsOf, office } from '../office.ts';
import { settingsOf, textIn, working, worktreesOf } from './isolated.ts';

/** What git says in the worktree of a run, and the files that are there. */
async function seenIn(root: string) {
  const seen = { status: '', subjects: '', files: [] as readonly string[] };
  const harness = working(async ({ directory }) => {
    seen.status = await git(directory, 'status', '--porcelain');
    seen.subjects = await git(directory, 'log', '--format=%s');
    seen.files = (await readdir(directory)).filter((name) => name !== '.git');
    return '';
  });
  const live = await harness.isolated(root);
  const end = await live.done;
  return { ...seen, end, live, log: harness.log };
}

testInTurn('X4 a sparse checkout is as sparse in the worktree', async () => {
  const { root, commit } = await repository({ 'in/a.txt': '1', 'out/b.txt': '1', 'top.txt': '' });
  await commit();
  await git(root, 'sparse-checkout', 'set', 'in');
  const { files, status } = await seenIn(root);
  expect([files, status]).toEqual([['in', 'top.txt'], '']);
});

testInTurn('X4 an empty repository within is left out of the worktree, which is told in one sentence', async () => {
  const { root, commit } = await repository({ 'a.txt': '1' });
  await commit();
  await git(root, 'init', '--quiet', 'empty');
  const { files, live } = await seenIn(root);
  expect(files).toEqual(['a.txt']);
  expect(live.warnings).toEqual([
    'The worktree is not complete. empty/ has no commit, and is left out. Commit in it, or let git ignore it.',
  ]);
});

testInTurn('X4 a repository of longer hashes, and one with core.worktree, are no hindrance', async () => {
  const long = await repository({ 'a.txt': '1' }, ['--object-format=sha256']);
  await long.commit('first');
  await long.write({ 'b.txt': '2' });
  const { status, subjects, files } = await seenIn(long.root);
  expect([status, subjects.split('\n').slice(1), files]).toEqual(['', ['first', ''], ['a.txt', 'b.txt']]);
  const moved = await repository({ 'a.txt': '1' });
  await moved.commit('first');
  await git(moved.root, 'config', 'core.worktree', moved.root);
  const seen = await seenIn(moved.root);
  expect([seen.status, seen.subjects, seen.files]).toEqual(['', 'first\n', ['a.txt']]);
});

testInTurn('X4 B7 a submodule has the files of its commit in the worktree, and git finds nothing changed', async () => {
  const { root, inner } = await withInner();
  await writeFile(join(root, 'sub/inner.txt'), 'not committed');
  const seen = { status: '', text: '' };
  const { isolated } = working(async ({ directory }) => {
    seen.status = await git(directory, 'status', '--porcelain');
    seen.text = await textIn(directory, 'sub/inner.txt');
    return '';
  });
  await inner.write({ 'inner.txt': 'not fetched' });
  const live = await isolated(root);
  const { kind } = await live.done;
  expect([seen, live.warnings, kind]).toEqual([{ status: '', text: '1' }, [], 'ended']);
});

testInTurn('X4 a submodule that is empty in the folder is empty in the worktree, and that is said', async () => {
  const { root } = await withInner();
  await git(root, 'submodule', 'deinit', '--force', 'sub');
  const { status, live, end } = await seenIn(root);
  expect([status, live.warnings]).toEqual(['', ['Submodules are empty in the worktree, as in the folder: sub']]);
  expect(end).toMatchObject({ outcome: { ending: 'success' } });
});

/** A project with a submodule. */
async function withInner() {
  const inner = await repository({ 'inner.txt': '1' });
  await inner.commit();
  const made = await repository({ 'a.txt': '1' });
  await git(made.root, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.root, 'sub');
  await made.commit();
  return { ...made, inner };
}

test('X4 a worktree that cannot be made is explained, and nothing of it is left', async () => {
  const { root, commit, git: run } = await repository({ 'a.txt': '1' });
  await commit();
  await writeFile(join(root, '.loopfold'), 'no folder');
  const { isolated, log } = working(async () => '');
  await expect(isolated(root)).rejects.toThrow('EEXIST');
  expect(await log.runs()).toEqual([]);
  expect(await run('for-each-ref', 'refs/loopfold')).toBe('');
});

testInTurn('X4 a run that cannot begin leaves no worktree behind', async () => {
  const { root, commit, git: run } = await repository({ 'a.txt': '1' });
  await commit();
  const full = new LogError('unavailable', 'memory:', 'the disk is full', 'Free some space.');
  const log = aroundAppend(memoryLog(), async () => {
    throw full;
  });
  await expect(working(async () => '', { log }).isolated(root)).rejects.toBe(full);
  expect(await worktreesOf(root)).toEqual([]);
  expect(await run('for-each-ref', 'refs/loopfold')).toBe('');
});

testInTurn('X4 a run that was recorded before its start failed keeps its worktree and its captures', async () => {
  const { root, commit, git: run } = await repository({ 'a.txt': '1' });
  await commit();
  const failure = new Error('the answer of the disk was lost');
  const log = aroundAppend(memoryLog(), async (request, append) => {
    await append(request);
    throw failure;
  });
  await expect(working(async () => '', { log }).isolated(root)).rejects.toThrow(failure);
  const [recorded] = await log.runs();
  expect(await worktreesOf(root)).toEqual(expect.arrayContaining([recorded?.run, `${recorded?.run}.json`]));
  expect(await run('for-each-ref', 'refs/loopfold')).toContain(`refs/loopfold/${recorded?.run}/0`);
});

test('X4 a run in a worktree is told apart from one in the folder', async () => {
  const { root, commit } = await repository({ 'a.txt': '1' });
  await commit();
  const { start, log } = working(async () => '');
  const live = await start({ directory: root, isolate: 'none' });
  await live.done;
  expect((await settingsOf(log, live.run)).isolation).toBeUndefined();
  expect(await worktreesOf(root)).toEqual([]);
});

testInTurn('X4 where the repository of a worktree is gone, git does not take the one around it', async () => {
  const { root, commit } = await repository({ 'a.txt': '1' });
  await commit();
  await writeFile(join(root, 'mine.txt'), 'not committed');
  const command = 'rm -rf .git && git stash --include-untracked';
  const { start, log } = office(
    { answers: [{ calls: [{ tool: 'shell', arguments: { command } }] }, { text: 'done' }] },
    {},
  );
  const live = await start({ directory: root, isolate: 'worktree', tools: ['shell'], sandbox: 'off' });
  await live.done;
  const [told] = await factsOf(log, live.run, 'tool.failed');
  expect(told?.payload.fault.message ?? (await factsOf(log, live.run, 'tool.completed'))[0]?.payload.output).toContain(
    'not a git repository',
  );
  expect(await git(root, 'stash', 'list')).toBe('');
  expect(await textIn(root, 'mine.txt')).toBe('not committed');
});
