import { chown, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { gitWorktree } from '../../src/git/git-worktree.ts';
import { absent } from '../support/absent.ts';
import { git, repository, temporaryFolder } from './repository.ts';

afterEach(() => void vi.unstubAllEnvs());

describe('where a workspace lies', () => {
  test('in a repository: its top folder, from wherever in it', async () => {
    const { root } = await repository({ 'deep/down/file': '' });
    expect(await gitWorktree(root)).toEqual({ root, mainRoot: root });
    expect(await gitWorktree(join(root, 'deep/down'))).toEqual({ root, mainRoot: root });
  });

  test('a top folder may have any name', async () => {
    const folder = join(await temporaryFolder(), 'two\nlines\n');
    await mkdir(folder);
    await git(folder, 'init', '--quiet');
    expect(await gitWorktree(folder)).toEqual({ root: folder, mainRoot: folder });
  });

  test('in a linked worktree: its own top folder, and that of the main one', async () => {
    const main = await repository({ file: '' });
    await main.commit();
    const linked = join(await temporaryFolder(), 'linked');
    await main.git('worktree', 'add', '--quiet', linked);
    expect(await gitWorktree(linked)).toEqual({ root: linked, mainRoot: main.root });
  });

  test('in a worktree of a bare repository: there is no main one, so it is its own', async () => {
    const source = await repository({ file: '' });
    await source.commit();
    const folder = await temporaryFolder();
    for (const [name, linked] of [
      ['bare', 'one'],
      ['.git', 'two'],
    ] as const) {
      await git(folder, 'clone', '--quiet', '--bare', source.root, name);
      await git(join(folder, name), 'worktree', 'add', '--quiet', join(folder, linked));
      const root = join(folder, linked);
      expect(await gitWorktree(root)).toEqual({ root, mainRoot: root });
    }
  });

  test('in a worktree whose main one keeps its repository elsewhere: its own, as git has lost that one', async () => {
    const [store, folder] = [join(await temporaryFolder(), 'store'), await temporaryFolder()];
    const main = await repository({ file: '' }, [`--separate-git-dir=${store}`]);
    await main.commit();
    const linked = join(folder, 'linked');
    await main.git('worktree', 'add', '--quiet', linked);
    expect(await gitWorktree(main.root)).toEqual({ root: main.root, mainRoot: main.root });
    expect(await gitWorktree(linked)).toEqual({ root: linked, mainRoot: linked });
  });

  test('in a repository that has its worktree elsewhere: there', async () => {
    const { root, git } = await repository({ 'tree/file': '' });
    await git('config', 'core.worktree', join(root, 'tree'));
    const there = join(root, 'tree');
    expect(await gitWorktree(there)).toEqual({ root: there, mainRoot: there });
  });

  test('in a submodule: the submodule', async () => {
    const inner = await repository({ file: '' });
    await inner.commit();
    const outer = await repository();
    await outer.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.root, 'inner');
    const root = join(outer.root, 'inner');
    expect(await gitWorktree(root)).toEqual({ root, mainRoot: root });
  });

  test('outside git, and inside of .git, there is no worktree', async () => {
    const { root } = await repository();
    expect(await gitWorktree(await temporaryFolder())).toBeNull();
    expect(await gitWorktree(join(root, '.git'))).toBeNull();
    const sub = join(root, 'sub');
    await mkdir(sub);
    vi.stubEnv('GIT_CEILING_DIRECTORIES', root);
    expect(await gitWorktree(sub)).toBeNull();
  });

  test('without git there is no worktree', async () => {
    const { root } = await repository();
    vi.stubEnv('PATH', absent());
    expect(await gitWorktree(root)).toBeNull();
  });

  test('the environment of a git hook does not lead it elsewhere', async () => {
    const { root } = await repository();
    const elsewhere = await repository();
    vi.stubEnv('GIT_DIR', join(elsewhere.root, '.git'));
    vi.stubEnv('GIT_WORK_TREE', elsewhere.root);
    expect(await gitWorktree(root)).toEqual({ root, mainRoot: root });
  });

  test('a folder that is not there is an error, not a folder outside git', async () => {
    await expect(gitWorktree(absent())).rejects.toThrow(/git rev-parse: .*No such file or directory/);
  });

  test.runIf(process.getuid?.() === 0)("someone else's repository is an error that says git's remedy", async () => {
    const { root } = await repository();
    await chown(root, 12345, 12345);
    await chown(join(root, '.git'), 12345, 12345);
    await expect(gitWorktree(root)).rejects.toThrow(/safe\.directory/);
  });
});
