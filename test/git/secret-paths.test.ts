import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { keepUncaptured } from '../../src/git/capture/files-not-captured.ts';
import { leftOutOf } from '../../src/git/capture/omissions.ts';
import { SECRET } from '../../src/git/capture/secret-paths.ts';
import { testInTurn } from '../support/in-turn.ts';
import { capture, refOf, RUN } from './captured.ts';
import { git, repository } from './repository.ts';

const KEY = '-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----\n';

/** A project with a file that git tracks, and one that it ignores. */
async function project() {
  const made = await repository({ '.gitignore': 'ignored\n', 'a.txt': '1', '.env.tracked': 'A=1' });
  await made.commit();
  /** Whether git has the content of a file as an object, by its hash. */
  const has = async (content: string) => {
    await writeFile(join(made.root, '.git/sought'), content);
    const hash = (await git(made.root, 'hash-object', '--no-filters', '.git/sought')).trim();
    return git(made.root, 'cat-file', '-e', hash).then(
      () => true,
      () => false,
    );
  };
  const namesOf = async (number: number) => Object.keys(await made.filesOf(refOf(number)));
  return { ...made, has, namesOf };
}
const left = (...paths: readonly string[]) => paths.map((path) => ({ path, because: SECRET }));

describe('G10 untracked files that look secret are in no capture', () => {
  testInTurn(
    'G10 neither at the start nor later, at the top nor in a folder, and git gets no object of them',
    async () => {
      const { root, write, has, namesOf } = await project();
      await write({ '.env': 'START=1', 'a/b/server.key': KEY, 'notes.txt': 'n', '.env.tracked': 'A=2' });
      expect(await capture(root, 0)).toMatchObject({ leftOut: left('.env', 'a/b/server.key') });
      expect(await namesOf(0)).toEqual(['.env.tracked', '.gitignore', 'a.txt', 'notes.txt']);
      expect(await leftOutOf(RUN, { directory: root })).toEqual(left('.env', 'a/b/server.key'));
      await write({ 'c/.env.js': 'module.exports = 1', 'more.txt': 'm' });
      for (const number of [1, 2]) {
        expect(await capture(root, number)).toMatchObject({ leftOut: left('.env', 'a/b/server.key', 'c/.env.js') });
      }
      expect(await namesOf(2)).toEqual(['.env.tracked', '.gitignore', 'a.txt', 'more.txt', 'notes.txt']);
      expect(await Promise.all(['START=1', KEY, 'module.exports = 1'].map(has))).toEqual([false, false, false]);
      expect(await has('A=2')).toBe(true);
    },
  );

  testInTurn(
    'G10 a file that git tracks at the start is captured, and one that the run has it track is not',
    async () => {
      const { root, write, namesOf, git: ask } = await project();
      await write({ '.env.mine': 'M=1', 'credentials.json': '{}' });
      await ask('add', '--intent-to-add', '.env.mine');
      await capture(root, 0);
      expect(await namesOf(0)).toContain('.env.mine');
      await write({ '.env': 'E=1' });
      await ask('add', '--force', '.env', 'credentials.json');
      expect(await capture(root, 1)).toMatchObject({ leftOut: left('.env', 'credentials.json') });
      expect(await namesOf(1)).toEqual(['.env.mine', '.env.tracked', '.gitignore', 'a.txt']);
    },
  );

  test('G10 what a file holds is looked at in each capture, where its name does not tell', async () => {
    const { root, write, has, namesOf } = await project();
    await capture(root, 0);
    await write({ 'dev.key': 'to be made\n' });
    await capture(root, 1);
    expect(await namesOf(1)).toContain('dev.key');
    await write({ 'dev.key': KEY });
    expect(await capture(root, 2)).toMatchObject({ leftOut: left('dev.key') });
    expect(await has(KEY)).toBe(false);
  });

  test('G10 a pipe and a link under such a name are not read', async () => {
    const { root } = await project();
    await capture(root, 0);
    execFileSync('/bin/sh', ['-c', 'mkfifo pipe.key'], { cwd: root });
    await symlink('/dev/zero', join(root, 'link.key'));
    const { changed } = await capture(root, 1);
    expect(changed.map(({ path }) => path)).toEqual(['link.key']);
  });

  testInTurn('G10 in a repository that the run has made, too, and in one that was there', async () => {
    const { root, has } = await project();
    await mkdir(join(root, 'there'));
    await git(join(root, 'there'), 'init', '--quiet');
    await git(join(root, 'there'), 'commit', '--quiet', '--allow-empty', '--message=there');
    await mkdir(join(root, 'empty'));
    await git(join(root, 'empty'), 'init', '--quiet');
    await writeFile(join(root, 'empty/.env'), 'EMPTY=1');
    await writeFile(join(root, 'empty/file'), 'e');
    const start = await capture(root, 0);
    expect(start.leftOut).toEqual(left('empty/.env'));
    await writeFile(join(root, 'there/.env'), 'THERE=1');
    await writeFile(join(root, 'there/file'), 'f');
    await mkdir(join(root, 'made'));
    await git(join(root, 'made'), 'init', '--quiet');
    await writeFile(join(root, 'made/.env'), 'MADE=1');
    await git(join(root, 'made'), 'add', '.env');
    await git(join(root, 'made'), 'commit', '--quiet', '--message=made');
    const { hash, leftOut } = await capture(root, 1);
    expect(leftOut).toEqual(left('empty/.env', 'made/.env'));
    const kept = await keepUncaptured({ directory: root, run: RUN, tree: hash ?? '', since: 0, store: 'memory:' });
    expect(kept).toEqual({ paths: ['there/file'], beyond: 0 });
    expect(await leftOutOf(RUN, { directory: root })).toEqual(left('there/.env', 'empty/.env'));
    expect(await Promise.all(['EMPTY=1', 'THERE=1', 'MADE=1'].map(has))).toEqual([false, false, false]);
  });
});
