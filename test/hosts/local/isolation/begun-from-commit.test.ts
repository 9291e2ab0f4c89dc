import { chmod, lstat, mkdir, readlink, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { git, repository, temporaryFolder } from '../../../git/repository.ts';
import { testInTurn } from '../../../support/in-turn.ts';
import { settingsOf, textIn, working } from './isolated.ts';

/** An isolated run, with what `look` says of its worktree. */
async function seenBy<Seen>(root: string, look: (directory: string) => Promise<Seen>) {
  const seen: Seen[] = [];
  const { isolated, log } = working(async ({ directory }) => {
    seen.push(await look(directory));
    return '';
  });
  const live = await isolated(root);
  await live.done;
  const { isolation } = await settingsOf(log, live.run);
  return { run: live.run, isolation, seen: seen[0] };
}

const executable = async (path: string) => ((await lstat(path)).mode & 0o100) !== 0;

describe('X4 the files of a worktree are written from the commit before the folder is read', () => {
  test('X4 it has what the folder has, whatever that has become since the commit', async () => {
    const { root, commit, write, filesOf } = await repository({
      'same.txt': 'same',
      'changed.txt': '1',
      'removed/only.txt': '1',
      'file-then-folder': '1',
      'folder-then-file/a.txt': '1',
      'file-then-link': 'same.txt',
      'folder-then-link/a.txt': '1',
      'run.sh': '',
      'lower.txt': '1',
    });
    await commit();
    const at = (path: string) => join(root, path);
    await write({ 'changed.txt': '2', 'new/b.txt': 'b' });
    for (const path of ['removed', 'file-then-folder', 'folder-then-file', 'file-then-link', 'folder-then-link']) {
      await rm(at(path), { recursive: true });
    }
    await mkdir(at('file-then-folder'));
    await writeFile(at('file-then-folder/a.txt'), '2');
    await writeFile(at('folder-then-file'), '2');
    await symlink('same.txt', at('file-then-link'));
    await symlink('new', at('folder-then-link'));
    await chmod(at('run.sh'), 0o755);
    await rename(at('lower.txt'), at('LOWER.txt'));
    const { run, isolation, seen } = await seenBy(root, async (directory) => ({
      status: await git(directory, 'status', '--porcelain'),
      files: (await git(directory, 'ls-files', '--others', '--cached')).trim().split('\n'),
      texts: await Promise.all(
        ['same.txt', 'changed.txt', 'file-then-folder/a.txt', 'folder-then-file', 'folder-then-link/b.txt'].map(
          (path) => textIn(directory, path),
        ),
      ),
      link: await readlink(join(directory, 'file-then-link')),
      isExecutable: await executable(join(directory, 'run.sh')),
    }));
    const files = [
      'LOWER.txt',
      'changed.txt',
      'file-then-folder/a.txt',
      'file-then-link',
      'folder-then-file',
      'folder-then-link',
      'new/b.txt',
      'run.sh',
      'same.txt',
    ];
    expect(seen).toEqual({
      status: '',
      files,
      texts: ['same', '2', '2', '2', 'b'],
      link: 'same.txt',
      isExecutable: true,
    });
    expect(Object.keys(await filesOf(`refs/loopfold/${run}/0`))).toEqual(files);
    expect(isolation?.base).toBe((await git(root, 'rev-parse', `refs/loopfold/${run}/0`)).trim());
  });

  testInTurn(
    'X4 dependencies are whole where the commit has some of them, and the folder has git ignore them',
    async () => {
      const { root, commit, write } = await repository({ 'a.txt': '', 'node_modules/x/i.js': '1' });
      await commit();
      await git(root, 'rm', '--quiet', '-r', '--cached', 'node_modules');
      await write({ '.gitignore': 'node_modules/\n', 'node_modules/y/i.js': '2' });
      const { isolation, seen } = await seenBy(root, async (directory) => [
        await textIn(directory, 'node_modules/x/i.js'),
        await textIn(directory, 'node_modules/y/i.js'),
        await git(directory, 'status', '--porcelain'),
      ]);
      expect(seen).toEqual(['1', '2', '']);
      expect(isolation?.dependencies).toMatchObject([
        { path: 'node_modules', by: expect.stringMatching(/^(hard|copy)/) },
      ]);
    },
  );

  testInTurn('X4 nothing is written through a link that only the commit has', async () => {
    const elsewhere = await temporaryFolder();
    const { root, commit, write } = await repository({ '.gitignore': 'node_modules/\n' });
    await symlink(elsewhere, join(root, 'node_modules'));
    await commit();
    await git(root, 'rm', '--quiet', 'node_modules');
    await write({ 'node_modules/x/i.js': '1' });
    const { seen } = await seenBy(root, async (directory) => [
      await textIn(directory, 'node_modules/x/i.js'),
      (await lstat(join(directory, 'node_modules'))).isDirectory(),
    ]);
    expect(seen).toEqual(['1', true]);
    await expect(lstat(join(elsewhere, 'node_modules'))).rejects.toThrow('ENOENT');
    await expect(lstat(join(elsewhere, 'x'))).rejects.toThrow('ENOENT');
  });

  testInTurn(
    'X4 it is made where git has lost a file of the commit that the folder does not have so any more',
    async () => {
      const { root, commit, write } = await repository({ 'a.txt': '1', 'b.txt': 'b' });
      await commit();
      const lost = (await git(root, 'rev-parse', 'HEAD:a.txt')).trim();
      await rm(join(root, '.git/objects', lost.slice(0, 2), lost.slice(2)));
      await write({ 'a.txt': '2' });
      await rm(join(root, 'b.txt'));
      const { seen } = await seenBy(root, async (directory) => [
        await textIn(directory, 'a.txt'),
        await git(directory, 'ls-files', '--others', '--cached'),
      ]);
      expect(seen).toEqual(['2', 'a.txt\n']);
    },
  );
});
