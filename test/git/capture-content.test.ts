import { chmod, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import { captureActor } from '../../src/actors/capture/capture-actor.ts';
import { captureFolder } from '../../src/git/capture/capture-folder.ts';
import { fc } from '../support/fast-check.ts';
import { testInTurn } from '../support/in-turn.ts';
import { tenthOfMany } from '../support/tenth.ts';
import { capture, refOf, RUN } from './captured.ts';
import { git, repository, temporaryFolder } from './repository.ts';

const LONG_AGO = new Date('2026-01-01T00:00:00Z');

describe('L9 a capture is the whole worktree under a name', () => {
  test('L9 committed, changed, untracked and removed files, as they are now', async () => {
    const { root, write, commit, filesOf, git } = await repository({ kept: 'k', changed: '1\n', removed: 'r\n' });
    await commit();
    await write({ changed: '1\n2\n', 'new/untracked': 'u\n' });
    await rm(join(root, 'removed'));

    const { hash, ref, changed } = await capture(root);

    expect(ref).toBe(refOf(0));
    expect(await git('rev-parse', refOf(0))).toBe(`${hash}\n`);
    expect(await filesOf(refOf(0))).toEqual({ kept: 'k', changed: '1\n2\n', 'new/untracked': 'u\n' });
    expect(changed).toEqual([
      { path: 'changed', added: 1, removed: 0 },
      { path: 'new/untracked', added: 1, removed: 0 },
      { path: 'removed', added: 0, removed: 1 },
    ]);
  });

  test('L9 links and the right to execute are part of it', async () => {
    const { root, git } = await repository({ file: 'f', script: 's' });
    await symlink('nowhere', join(root, 'link'));
    await chmod(join(root, 'script'), 0o755);
    await capture(root);
    const modes = (await git('ls-tree', '--format=%(objectmode) %(path)', refOf(0))).trim().split('\n');
    expect(modes).toEqual(['100644 file', '120000 link', '100755 script']);
  });

  test.each([
    ['* text=auto', 'a\r\nb\r\n'],
    ['* text eol=lf', 'a\r\n'],
    ['*.txt working-tree-encoding=UTF-16LE', 'a\0\n\0'],
    ['* ident', '$Id: mine $\n'],
    ['* -text', 'a\r\n'],
  ])('L9 whatever git stores of a file, as by %s, its bytes are', async (attributes, content) => {
    const { root, commit, git } = await repository({ '.gitattributes': `${attributes}\n`, 'a.txt': content });
    await git('config', 'core.autocrlf', 'true');
    await commit();
    await capture(root);
    expect(await git('cat-file', 'blob', `${refOf(0)}:a.txt`)).toBe(content);
    expect((await capture(root, 1)).changed).toEqual([]);
  });

  test('L9 git-ignored files are not, unless they are tracked, nor is what the loop writes itself', async () => {
    const folders = [
      '.loopfold/.gitignore',
      '.loopfold/log.db',
      'sub/.loopfold/log.db-wal',
      'sub/.loopfold/log.db.heads/01',
      'sub/.loopfold/worktrees/a/file',
      'sub/.loopfold/worktrees/a.json',
    ];
    const own = [
      ...folders,
      '.claude/ralph-loop.local.md',
      'sub/.loopfold-0123456789abcdef.draft',
      'sub/.claude/ralph-loop.local.md',
    ];
    const files = { '.gitignore': '*.log\n', 'a.log': 'a', 'sub/.claude/x': 'x' };
    const { root, write, filesOf, commit } = await repository(files);
    await write(Object.fromEntries(own.map((path) => [path, 'first'])));
    expect((await capture(root)).hash).not.toBeNull();
    expect(Object.keys(await filesOf(refOf(0)))).toEqual(['.gitignore', 'sub/.claude/x']);
    const first = (await git(root, 'hash-object', '.loopfold/log.db')).trim();
    expect(await git(root, 'cat-file', '--batch-all-objects', '--batch-check')).not.toContain(first);

    await git(root, 'add', '--force', 'a.log', ...own);
    await commit();
    await capture(root);
    await write(Object.fromEntries(['a.log', ...own].map((path) => [path, 'second'])));
    const { changed } = await capture(root, 7);
    expect(await filesOf(refOf(7))).toEqual({ ...files, 'a.log': 'second' });
    expect(changed.map(({ path }) => path)).toEqual(['a.log']);
  });

  test('L9 files of people in a folder of the name of its own are, unless that folder ignores itself', async () => {
    const agents = { 'sub/.loopfold/agents/a.md': 'a', 'sub/.loopfold/deep/state.json': '{}', 'other/.loopfold': 'f' };
    const { root, write, filesOf } = await repository({ file: 'f' });
    await write({ ...agents, '.loopfold/.gitignore': '*\n', '.loopfold/agents/a.md': 'a', '.loopfold/other': 'log' });
    await capture(root);
    expect(await filesOf(refOf(0))).toEqual({ file: 'f', ...agents });
  });

  test('L9 from a sub-folder it is the whole worktree all the same', async () => {
    const { root } = await repository({ top: 't', 'sub/file': 's' });
    expect(await capture(join(root, 'sub'))).toEqual(await capture(root));
  });

  test('L9 in a linked worktree it is that one, under the refs of all', async () => {
    const main = await repository({ file: 'main' });
    await main.commit();
    const linked = join(await temporaryFolder(), 'linked');
    await main.git('worktree', 'add', '--quiet', linked);
    await writeFile(join(linked, 'file'), 'linked');
    expect(await capture(linked)).toMatchObject({ changed: [{ path: 'file', added: 1, removed: 1 }] });
    expect(await main.filesOf(refOf(0))).toEqual({ file: 'linked' });
    expect(await main.git('status', '--porcelain')).toBe('');
  });

  test('L9 the number of a capture that is made again is not used up', async () => {
    const { root, write, filesOf } = await repository({ file: '1' });
    await capture(root);
    await write({ file: '2' });
    await capture(root);
    expect(await filesOf(refOf(0))).toEqual({ file: '2' });
    expect(captureActor().effectClass({ directory: root, run: RUN, number: 0 })).toBe('repeatable');
  });
});

describe('L9 equal worktrees have equal hashes, and nothing else is touched', () => {
  const name = fc.stringMatching(/^[a-z]{1,3}$/);
  const files = fc.dictionary(
    fc.tuple(name, name).map((parts) => parts.join('/')),
    fc.string(),
    { maxKeys: 5 },
  );

  testInTurn('L9 for any files, committed, staged or neither', () =>
    fc.assert(
      fc.asyncProperty(files, files, files, async (committed, staged, loose) => {
        const one = await repository(committed);
        await one.commit().catch(() => {});
        await one.write(staged);
        await one.git('add', '--all');
        await one.write(loose);
        const before = await one.untouched();
        const { hash } = await capture(one.root);
        expect(await one.untouched()).toEqual(before);

        const all = { ...committed, ...staged, ...loose };
        const other = await repository(all);
        expect((await capture(other.root)).hash).toBe(hash);
        await other.write({ 'one/more': '' });
        expect((await capture(other.root)).hash).not.toBe(hash);
        expect(await one.filesOf(refOf(0))).toEqual(all);
      }),
      { numRuns: tenthOfMany(30) },
    ),
  );

  test('L9 an index that is locked, half merged or split is left alone', async () => {
    const { root, write, commit, git, untouched, filesOf } = await repository({ file: 'base\n' });
    await commit();
    await git('checkout', '--quiet', '-b', 'other');
    await write({ file: 'other\n' });
    await commit();
    await git('checkout', '--quiet', 'main');
    await write({ file: 'main\n' });
    await commit();
    await git('merge', '--quiet', 'other').catch(() => {});
    await git('update-index', '--split-index');
    await writeFile(join(root, '.git/index.lock'), '');
    const before = await untouched();
    const folderBefore = await readdir(join(root, '.git'));

    await capture(root);

    expect(await untouched()).toEqual(before);
    expect(before.status).toContain('u UU');
    expect(await readdir(join(root, '.git'))).toEqual(folderBefore);
    expect((await filesOf(refOf(0)))['file']).toContain('<<<<<<<');
  });

  test('L9 a change within the clock tick of the index is not overlooked', async () => {
    const { root, write, commit, git, filesOf } = await repository({ file: 'old' });
    await commit();
    const tick = new Date(Date.now() - 60_000);
    await git('config', 'core.trustCtime', 'false');
    await utimes(join(root, 'file'), tick, tick);
    await git('update-index', '--refresh');
    await write({ file: 'new' });
    await utimes(join(root, 'file'), tick, tick);
    await utimes(join(root, '.git/index'), tick, tick);
    await capture(root);
    expect(await filesOf(refOf(0))).toEqual({ file: 'new' });
  });

  test('L9 nor one that an index hides by false hashes, as an agent can write it', async () => {
    const { root, write, commit, git, filesOf } = await repository({ file: 'old' });
    await utimes(join(root, 'file'), LONG_AGO, LONG_AGO);
    await commit();
    await git('config', 'core.trustCtime', 'false');
    await write({ file: 'new' });
    await utimes(join(root, 'file'), LONG_AGO, LONG_AGO);
    expect(await git('status', '--porcelain')).toBe('');
    await capture(root);
    expect(await filesOf(refOf(0))).toEqual({ file: 'new' });
  });

  testInTurn('L9 the end has one in the second of the capture before, whose size and time were put back', async () => {
    const { root, write, commit, git } = await repository({ file: 'old' });
    await commit();
    await git('config', 'core.trustCtime', 'false');
    await capture(root);
    // Git compares whole seconds.
    await new Promise((resolve) => setTimeout(resolve, 1_000 - (Date.now() % 1_000)));
    await write({ file: 'now' });
    await utimes(join(root, 'file'), LONG_AGO, LONG_AGO);
    await capture(root, 1);
    await write({ file: 'new' });
    await utimes(join(root, 'file'), LONG_AGO, LONG_AGO);
    const end = await captureFolder({ directory: root, run: RUN, number: 'end' }, new AbortController().signal);
    expect(await git('cat-file', 'blob', `${end?.hash}:file`)).toBe('new');
  });

  test.each(['sha1', 'sha256'])(
    'L9 a capture goes on from the one before, and has what was put back in its second, with %s',
    async (format) => {
      const { root, write, commit, git } = await repository({ file: 'old', 'd/é': 'same' }, [
        `--object-format=${format}`,
      ]);
      await commit();
      await capture(root);
      for (const [index, file] of ['one', 'two', 'six'].entries()) {
        await write({ file });
        await utimes(join(root, 'file'), LONG_AGO, LONG_AGO);
        await capture(root, index + 1);
        expect(await git('cat-file', 'blob', `${refOf(index + 1)}:file`)).toBe(file);
        expect(await git('cat-file', 'blob', `${refOf(index + 1)}:d/é`)).toBe('same');
      }
    },
  );

  test('L9 neither is one that git was told not to look for', async () => {
    const { root, write, commit, git, filesOf } = await repository({ 'assu\nmed': '1', skipped: '1', gone: '1' });
    await commit();
    await git('update-index', '--assume-unchanged', 'assu\nmed');
    await git('update-index', '--skip-worktree', 'skipped', 'gone');
    await write({ 'assu\nmed': '2', skipped: '2' });
    await rm(join(root, 'gone'));
    await capture(root);
    expect(await filesOf(refOf(0))).toEqual({ 'assu\nmed': '2', skipped: '2', gone: '1' });
  });

  test('L9 nor one that git is told of, or given, between two captures', async () => {
    const { root, write, commit, git, filesOf } = await repository({ file: '1' });
    await commit();
    await capture(root, 0);
    await git('update-index', '--assume-unchanged', 'file');
    await write({ file: '2' });
    await capture(root, 1);
    expect(await filesOf(refOf(1))).toEqual({ file: '2' });
    await write({ '.loopfold/log.db': 'own' });
    await git('add', '--force', '.loopfold/log.db');
    await capture(root, 2);
    expect(await filesOf(refOf(2))).toEqual({ file: '2' });
  });

  test('L9 not even under a name that is not UTF-8', async () => {
    const { root, commit } = await repository();
    const file = Buffer.from(`${root}/\xFF`, 'latin1');
    await writeFile(file, '1\n');
    await commit();
    await execa({ cwd: root, shell: true })`git ls-files -z | git update-index --assume-unchanged -z --stdin`;
    await writeFile(file, '1\n2\n');
    expect((await capture(root)).changed).toEqual([{ path: '"\\377"', added: 1, removed: 0 }]);
  });

  test('L9 the files outside of a sparse checkout stay in it, and those that are there count', async () => {
    const { root, write, commit, git, filesOf } = await repository({ 'in/file': '1', 'out/file': '1' });
    await commit();
    await git('sparse-checkout', 'set', 'in');
    await write({ 'in/file': '2', 'out/new': '2' });
    await capture(root);
    expect(await filesOf(refOf(0))).toEqual({ 'in/file': '2', 'out/file': '1', 'out/new': '2' });
  });
});
