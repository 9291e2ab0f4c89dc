import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { askGit } from '../../src/git/process/git.ts';
import { isOutsideGit } from '../../src/git/git-worktree.ts';
import { git, repository, temporaryFolder } from './repository.ts';

/** What git itself says. */
const isInWorktree = async (directory: string): Promise<boolean> =>
  (await askGit(['rev-parse', '--show-toplevel'], { directory })).exitCode === 0;

const inside: Record<string, () => Promise<string>> = {
  'the top of a repository': async () => (await repository({ file: '' })).root,
  'a folder deep in one': async () => join((await repository({ 'deep/down/file': '' })).root, 'deep/down'),
  'a linked worktree': async () => {
    const main = await repository({ file: '' });
    await main.commit();
    const linked = join(await temporaryFolder(), 'linked');
    await main.git('worktree', 'add', '--quiet', linked);
    return linked;
  },
  'a link to a folder of one': async () => {
    const { root } = await repository({ 'deep/file': '' });
    const link = join(await temporaryFolder(), 'link');
    await symlink(join(root, 'deep'), link);
    return link;
  },
  'a repository that lies in its own work tree, under no name': async () => {
    const folder = await temporaryFolder();
    await git(folder, 'init', '--quiet', '--bare');
    await git(folder, 'config', 'core.bare', 'false');
    await git(folder, 'config', 'core.worktree', folder);
    return folder;
  },
};

test.each(Object.entries(inside))('a look never says that this is outside: %s', async (_, make) => {
  const folder = await make();
  expect(await isInWorktree(folder)).toBe(true);
  expect(isOutsideGit(folder)).toBe(false);
});

test('a folder without a repository around it is outside, also by a link in one', async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'deep'));
  const { root } = await repository({ file: '' });
  await symlink(join(folder, 'deep'), join(root, 'link'));
  for (const path of [folder, join(folder, 'deep'), join(root, 'link')]) {
    expect(isOutsideGit(path)).toBe(true);
    expect(await isInWorktree(path)).toBe(false);
  }
});

test('where a look cannot tell, git is to be asked', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'HEAD'), '');
  for (const path of [folder, join(folder, 'missing')]) expect(isOutsideGit(path)).toBe(false);
});
