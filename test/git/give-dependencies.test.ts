import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { giveDependencies } from '../../src/git/worktree/give-dependencies.ts';
import { placeAt } from '../../src/git/worktree/worktree-place.ts';
import { repository, temporaryFolder } from './repository.ts';

/** A worktree beside a project with three folders of dependencies. */
async function projectAndWorktree() {
  const { root } = await repository({
    '.gitignore': 'node_modules/\n',
    'node_modules/x.js': '1',
    'p/a.js': '',
    'p/node_modules/x.js': '1',
    'q/a.js': '',
    'q/node_modules/x.js': '1',
  });
  const top = join(await temporaryFolder(), 'run');
  await mkdir(top);
  return { root, top };
}

test('X4 a folder is given only where the worktree has nothing yet, and no link leads elsewhere', async () => {
  const { root, top } = await projectAndWorktree();
  const elsewhere = await temporaryFolder();
  const files = async () => {
    await mkdir(join(top, 'node_modules'));
    await writeFile(join(top, 'node_modules/own.js'), '');
    await symlink(elsewhere, join(top, 'p'));
  };
  const { dependencies } = await giveDependencies(placeAt(top), root, ['node_modules'], files());
  expect(dependencies.map(({ path }) => path)).toEqual(['q/node_modules']);
  expect(await readdir(join(top, 'node_modules'))).toEqual(['own.js']);
  expect(await readdir(join(top, 'q/node_modules'))).toEqual(['x.js']);
  expect(await readdir(elsewhere)).toEqual([]);
  expect(await readdir(join(top, '.git'))).toEqual([]);
});

test('X4 no folder is in the worktree before its files are', async () => {
  const { root, top } = await projectAndWorktree();
  const [files, missing] = [Promise.withResolvers<void>(), new Error('no files')];
  files.promise.catch(() => {});
  const giving = giveDependencies(placeAt(top), root, ['node_modules'], files.promise);
  files.reject(missing);
  await expect(giving).rejects.toBe(missing);
  expect(await readdir(top)).toEqual(['.git']);
});
