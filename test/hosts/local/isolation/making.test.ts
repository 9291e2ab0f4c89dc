import { mkdir, readdir, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openSqliteLog } from '../../../../src/log/sqlite/engine.ts';
import { placeAt } from '../../../../src/git/worktree/worktree-place.ts';
import { git, repository, temporaryFolder } from '../../../git/repository.ts';
import { testInTurn } from '../../../support/in-turn.ts';
import { settingsOf, textIn, working } from './isolated.ts';

const nothing = async () => '';

describe('X4 an isolated run works in a worktree of its own', () => {
  testInTurn('X4 with everything that is not committed yet, and without what git ignores', async () => {
    const { root, commit, write } = await repository({ 'a.txt': '1\n', 'gone.txt': '', '.gitignore': 'ignored.txt\n' });
    await commit();
    await write({ 'a.txt': '2\n', 'new/b.txt': 'b\n', 'ignored.txt': 'x', '.claude/ralph-loop.local.md': 'state' });
    await git(root, 'rm', '--quiet', 'gone.txt');
    let seen: readonly string[] = [];
    const { isolated } = working(async ({ directory }) => {
      seen = (await readdir(directory, { recursive: true })).filter((path) => !path.startsWith('.git/'));
      return textIn(directory, 'a.txt');
    });
    const live = await isolated(root);
    await live.done;
    expect(seen.toSorted()).toEqual(['.git', '.gitignore', 'a.txt', 'new', 'new/b.txt']);
  });

  testInTurn('X4 its changes are not in the folder that it was given', async () => {
    const { root, commit, untouched } = await repository({ 'a.txt': '1\n' });
    await commit();
    const before = await untouched();
    const { isolated, log } = working(async ({ directory }) => {
      await writeFile(join(directory, 'a.txt'), 'changed\n');
      await writeFile(join(directory, 'b.txt'), 'made\n');
      return '';
    });
    const live = await isolated(root);
    expect(await live.done).toMatchObject({ kind: 'ended', outcome: { ending: 'success' } });
    expect(await textIn(root, 'a.txt')).toBe('1\n');
    expect(await untouched()).toEqual(before);
    expect(await settingsOf(log, live.run)).toMatchObject({
      directory: join(root, '.loopfold/worktrees', live.run),
      isolation: { kind: 'worktree', origin: root, repository: join(root, '.git'), dependencies: [] },
    });
  });

  testInTurn(
    'X4 git there is clean and knows the history; what it commits or stashes is not in the project',
    async () => {
      const { root, commit, write, untouched } = await repository({ 'a.txt': '1\n' });
      await commit('the first');
      await write({ 'a.txt': '2\n' });
      await git(root, 'stash');
      await write({ 'a.txt': '3\n' });
      const before = await untouched();
      const said: string[] = [];
      const { isolated } = working(async ({ directory }) => {
        said.push(await git(directory, 'status', '--porcelain'), await git(directory, 'stash', 'list'));
        said.push(
          await git(directory, 'log', '--format=%s', 'main'),
          await git(directory, 'log', '--format=%s', '-1', 'HEAD^'),
        );
        await writeFile(join(directory, 'a.txt'), '4\n');
        await git(directory, 'stash');
        await git(directory, 'checkout', '--quiet', '-B', 'main');
        await writeFile(join(directory, 'a.txt'), '5\n');
        await git(directory, 'commit', '--quiet', '--all', '--message=of the run');
        return '';
      });
      await (
        await isolated(root)
      ).done;
      expect(said).toEqual(['', '', 'the first\n', 'the first\n']);
      expect(await untouched()).toEqual(before);
    },
  );

  test('X4 the index of its captures is no younger than that of its checkout', async () => {
    const { root, commit } = await repository({ 'a.txt': '1' });
    await commit();
    const times: number[] = [];
    const { isolated } = working(async ({ directory }) => {
      const indexes = [placeAt(directory).index, join(directory, '.git/index')];
      for (const index of indexes) times.push((await stat(index)).mtimeMs);
      return '';
    });
    const live = await isolated(root);
    await live.done;
    const [ofCaptures = 0, ofCheckout = 0] = times;
    expect(ofCaptures).toBe(Math.floor(ofCheckout / 1000) * 1000);
  });

  test('X4 git there ignores what runs write, and not what people have beside it', async () => {
    const { root, commit } = await repository({ 'a.txt': '1' });
    await commit();
    const own = ['.loopfold/log.db', 'deep/.loopfold/log.db', '.loopfold/.gitignore', '.claude/ralph-loop.local.md'];
    const ofPeople = ['.loopfold/agents/new.md', 'deep/.loopfold/agents/new.md'];
    let said = '';
    const { isolated, loops } = working(async ({ directory }) => {
      for (const path of [...own, ...ofPeople]) {
        await mkdir(join(directory, path, '..'), { recursive: true });
        await writeFile(join(directory, path), '');
      }
      said = await git(directory, 'status', '--porcelain', '--untracked-files=all');
      return '';
    });
    const live = await isolated(root);
    await live.done;
    expect(said).toBe(ofPeople.map((path) => `?? ${path}\n`).join(''));
    expect(await loops().diff(live.run)).toMatchObject({ files: ofPeople.map((path) => ({ path })), leftOut: [] });
  });

  testInTurn('X4 a sub-folder is the same sub-folder of the worktree', async () => {
    const { root, commit } = await repository({ 'pkg/a.txt': '1', 'top.txt': '' });
    await commit();
    const { isolated, log } = working(nothing);
    const live = await isolated(join(root, 'pkg'));
    await live.done;
    expect((await settingsOf(log, live.run)).directory).toBe(join(root, '.loopfold/worktrees', live.run, 'pkg'));
  });

  testInTurn('X4 before the first commit, and from a linked worktree', async () => {
    const { root, commit } = await repository({ 'a.txt': '1' });
    const read = working(({ directory }) => textIn(directory, 'a.txt'));
    expect(await (await read.isolated(root)).done).toMatchObject({ outcome: { ending: 'success' } });
    await commit();
    const linked = join(await temporaryFolder(), 'linked');
    await git(root, 'worktree', 'add', '--quiet', linked);
    await writeFile(join(linked, 'a.txt'), 'linked');
    const live = await read.isolated(linked);
    await live.done;
    expect((await settingsOf(read.log, live.run)).directory).toBe(join(root, '.loopfold/worktrees', live.run));
  });

  test('X4 no hook and no filter of the user runs, and a filtered file is as the user sees it', async () => {
    const { root, commit, write } = await repository({
      '.gitattributes': '*.big filter=store\n',
      'a.big': 'content\n',
    });
    await git(root, 'config', 'filter.store.clean', 'sha1sum');
    await git(root, 'config', 'filter.store.smudge', 'touch SMUDGED; cat');
    await git(root, 'config', 'filter.store.required', 'true');
    await commit();
    await write({ '.git/hooks/post-checkout': '#!/bin/sh\ntouch "$GIT_DIR/../HOOKED"\n' });
    let seen: readonly string[] = [];
    const { isolated } = working(async ({ directory }) => {
      seen = [...(await readdir(directory)), await textIn(directory, 'a.big')];
      return '';
    });
    await (
      await isolated(root)
    ).done;
    expect(seen.toSorted()).toEqual(['.git', '.gitattributes', 'a.big', 'content\n']);
  });

  testInTurn('X4 its files are those of the user, byte for byte, and its git finds nothing changed', async () => {
    // Given line ends and an encoding that git does not store, and a file that is not committed yet
    const { root, commit, write } = await repository({
      '.gitattributes': '*.txt text=auto\n*.big filter=store\n*.wide working-tree-encoding=UTF-16LE\n',
      'a.txt': 'a\r\nb\r\n',
      'b.big': 'b\n',
      'c.wide': 'c\0\n\0',
      'd.txt': 'd\r\n',
    });
    await git(root, 'config', 'filter.store.clean', 'rev');
    await git(root, 'config', 'filter.store.smudge', 'rev');
    await git(root, 'config', 'user.name', 'Grace');
    await git(root, 'config', 'user.email', 'grace@example.org');
    await commit();
    await write({ 'new.txt': 'n\r\n', 'd.txt': 'd\r\nd\r\n' });
    // When a run changes one of them
    let seen: readonly string[] = [];
    const { isolated, loops } = working(async ({ directory }) => {
      const names = ['a.txt', 'b.big', 'c.wide', 'd.txt', 'new.txt'];
      seen = await Promise.all(names.map((name) => textIn(directory, name)));
      seen = [await git(directory, 'status', '--porcelain'), ...seen];
      await writeFile(join(directory, 'a.txt'), 'a\r\nB\r\n');
      return '';
    });
    const live = await isolated(root);
    await live.done;
    // Then it has begun with all of them, and its change is that one, also as a commit of the user's git
    expect(seen).toEqual(['', 'a\r\nb\r\n', 'b\n', 'c\0\n\0', 'd\r\nd\r\n', 'n\r\n']);
    expect(await loops().branch(live.run, 'changed')).toMatchObject({ kind: 'made' });
    expect(await git(root, 'diff', '--numstat', 'main', 'changed')).toBe('1\t1\ta.txt\n');
    expect(await git(root, 'cat-file', 'blob', 'changed:a.txt')).toBe('a\nB\n');
    expect(await loops().apply(live.run)).toMatchObject({ kind: 'done', files: [{ path: 'a.txt' }] });
    expect(await textIn(root, 'a.txt')).toBe('a\r\nB\r\n');
  });

  testInTurn('X4 nothing is said to be left out where only the log is, also where git ignores that', async () => {
    const { root, commit } = await repository({ 'a.txt': '1', '.gitignore': '*.log\n' });
    await commit();
    await mkdir(join(root, '.loopfold'));
    await writeFile(join(root, '.loopfold/.gitignore'), '*\n');
    const log = openSqliteLog(join(root, '.loopfold/log.db'));
    const live = await working(nothing, { log }).isolated(root);
    await live.done;
    expect(live.warnings).toEqual([]);
  });

  testInTurn('X4 its changes are captured in the project, whatever it does with its own git', async () => {
    const { root, commit, filesOf } = await repository({ 'a.txt': '1\n' });
    await commit();
    const { isolated, log } = working(async ({ directory }) => {
      await writeFile(join(directory, 'a.txt'), '2\n');
      await git(directory, 'add', '--all');
      await git(directory, 'update-index', '--assume-unchanged', 'a.txt');
      await git(directory, 'commit', '--quiet', '--message=hidden');
      return '';
    });
    const live = await isolated(root, { checks: ['true'] });
    await live.done;
    expect(log.store).toBe('memory:');
    expect(await filesOf(`refs/loopfold/${live.run}/0`)).toEqual({ 'a.txt': '1\n' });
    expect(await filesOf(`refs/loopfold/${live.run}/1`)).toEqual({ 'a.txt': '2\n' });
  });
});

describe('X4 installed dependencies', () => {
  test('X4 a folder that git ignores is copied, and named in the record of the run', async () => {
    const files = {
      '.gitignore': 'node_modules/\n',
      'node_modules/.cache/c': '1',
      'node_modules/x/i.js': '1',
      'p/node_modules/y/i.js': '2',
    };
    const { root, commit } = await repository(files);
    await commit();
    const { isolated, log } = working(async ({ directory }) => {
      await writeFile(join(directory, 'node_modules/.cache/c'), 'mine');
      return textIn(directory, 'p/node_modules/y/i.js');
    });
    const live = await isolated(root);
    await live.done;
    expect((await settingsOf(log, live.run)).isolation?.dependencies).toMatchObject([
      { path: 'node_modules', by: expect.stringMatching(/^(hard-links|copy-on-write)$/) },
      { path: 'p/node_modules' },
    ]);
    expect(await textIn(root, 'node_modules/.cache/c')).toBe('1');
  });

  testInTurn('X4 a linked folder is given as a link, and is in no capture', async () => {
    const { root, commit, filesOf } = await repository({ '.gitignore': 'node_modules\n', 'a.txt': '' });
    await commit();
    const shared = await temporaryFolder();
    await writeFile(join(shared, 'x.js'), '1');
    await symlink(shared, join(root, 'node_modules'));
    const { isolated, log } = working(async ({ directory }) => {
      await writeFile(join(directory, '.gitignore'), 'node_modules/\n');
      return textIn(directory, 'node_modules/x.js');
    });
    const live = await isolated(root, { checks: ['true'] });
    await live.done;
    const { dependencies = [] } = (await settingsOf(log, live.run)).isolation ?? {};
    expect(dependencies).toEqual([{ path: 'node_modules', by: 'link', fingerprint: expect.any(String) }]);
    expect(Object.keys(await filesOf(`refs/loopfold/${live.run}/1`))).toEqual(['.gitignore', 'a.txt']);
  });

  testInTurn('X4 other folders can be named, or none', async () => {
    const { root, commit } = await repository({
      '.gitignore': '/target/\n/node_modules/\n',
      'target/out': '1',
      'node_modules/x': '',
    });
    await commit();
    const { isolated, log } = working(nothing);
    const named = await isolated(root, { deps: ['target'] });
    await named.done;
    expect((await settingsOf(log, named.run)).isolation?.dependencies).toMatchObject([{ path: 'target' }]);
    const missing = await isolated(root, { deps: ['nope', 'target/', 'vendor'] });
    expect(missing.warnings).toContain(`deps: git ignores no such folder in ${root}: nope`);
    await missing.done;
    const none = await isolated(root, { deps: [] });
    await none.done;
    expect((await settingsOf(log, none.run)).isolation?.dependencies).toEqual([]);
  });
});
