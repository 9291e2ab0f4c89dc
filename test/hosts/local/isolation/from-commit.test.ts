import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RunOptions } from '../../../../src/config/options.ts';
import { git, repository, temporaryFolder } from '../../../git/repository.ts';
import { testInTurn } from '../../../support/in-turn.ts';
import { settingsOf, textIn, working, worktreesOf } from './isolated.ts';

const fromHead: Partial<RunOptions> = { isolateFrom: 'HEAD' };

/** A project of one commit, and what a person has changed since. */
async function changed() {
  const made = await repository({ 'a.txt': '1\n2\n3\n', 'gone.txt': 'kept', '.gitignore': 'ignored.txt\n' });
  await made.commit('the first');
  await made.write({ 'a.txt': '1\n2\n3 of the person\n', 'new/b.txt': 'b\n', '.gitignore': 'ignored.txt\nmade/\n' });
  await git(made.root, 'rm', '--quiet', 'gone.txt');
  return made;
}

describe('X4 a worktree that is made from HEAD', () => {
  test('X4 has the files of the commit, and nothing that is not committed', async () => {
    const { root, git: inRoot, filesOf } = await changed();
    const committed = { '.gitignore': 'ignored.txt\n', 'a.txt': '1\n2\n3\n', 'gone.txt': 'kept' };
    const head = (await inRoot('rev-parse', 'HEAD')).trim();
    const seen = { files: [] as readonly string[], status: '', commit: '' };
    const { isolated, log } = working(async ({ directory }) => {
      seen.files = (await readdir(directory)).filter((name) => name !== '.git').toSorted();
      seen.status = await git(directory, 'status', '--porcelain');
      seen.commit = (await git(directory, 'rev-parse', 'HEAD')).trim();
      return textIn(directory, 'a.txt');
    });
    const live = await isolated(root, fromHead);
    await live.done;
    expect(seen).toEqual({ files: Object.keys(committed), status: '', commit: head });
    expect(await filesOf(`refs/loopfold/${live.run}/0`)).toEqual(committed);
    expect((await settingsOf(log, live.run)).isolation).toMatchObject({ commit: head });
    expect((await inRoot('rev-parse', `refs/loopfold/${live.run}/head`)).trim()).toBe(head);
    expect(live.warnings).toEqual([]);
  });

  test('X4 a worktree that is made from the files names no commit', async () => {
    const { root } = await changed();
    const { isolated, log } = working(async () => '');
    const live = await isolated(root, { isolateFrom: 'files' });
    await live.done;
    expect((await settingsOf(log, live.run)).isolation).not.toHaveProperty('commit');
  });

  testInTurn('X4 its change leads from the commit, and is merged with what a person has changed', async () => {
    const { root, git: inRoot } = await changed();
    await inRoot('config', 'user.name', 'Grace');
    await inRoot('config', 'user.email', 'grace@example.org');
    const { isolated, loops } = working(async ({ directory }) => {
      await writeFile(join(directory, 'a.txt'), '1 of the run\n2\n3\n');
      await writeFile(join(directory, 'c.txt'), 'c\n');
      return '';
    });
    const live = await isolated(root, fromHead);
    await live.done;
    expect(await loops().diff(live.run)).toMatchObject({ files: [{ path: 'a.txt' }, { path: 'c.txt' }] });
    expect(await loops().branch(live.run, 'theirs')).toMatchObject({ kind: 'made' });
    expect(await inRoot('diff', '--name-only', 'main', 'theirs')).toBe('a.txt\nc.txt\n');
    expect(await loops().apply(live.run)).toMatchObject({
      kind: 'done',
      files: [
        { path: 'a.txt', what: 'merged' },
        { path: 'c.txt', what: 'written' },
      ],
    });
    expect(await textIn(root, 'a.txt')).toBe('1 of the run\n2\n3 of the person\n');
    expect(await loops().undo(live.run)).toMatchObject({ kind: 'done' });
    expect(await textIn(root, 'a.txt')).toBe('1\n2\n3 of the person\n');
  });

  testInTurn('X4 a line that a person has changed, too, is a conflict, and nothing is written', async () => {
    const { root } = await changed();
    const { isolated, loops } = working(async ({ directory }) => {
      await writeFile(join(directory, 'a.txt'), '1\n2\n3 of the run\n');
      await writeFile(join(directory, 'c.txt'), 'c\n');
      return '';
    });
    const live = await isolated(root, fromHead);
    await live.done;
    expect(await loops().apply(live.run)).toMatchObject({ kind: 'conflict', kept: [{ path: 'a.txt' }], files: [] });
    expect((await readdir(root)).includes('c.txt')).toBe(false);
  });

  testInTurn('X4 goes by what the commit ignores, not by an ignore file that is not committed', async () => {
    const { root } = await changed();
    const { isolated, loops } = working(async ({ directory }) => {
      await writeFile(join(directory, 'made'), 'a file of that name');
      await writeFile(join(directory, 'ignored.txt'), '');
      return '';
    });
    await git(root, 'config', 'core.excludesFile', '/dev/null');
    const live = await isolated(root, fromHead);
    await live.done;
    expect(await loops().diff(live.run)).toMatchObject({ files: [{ path: 'made' }] });
  });

  testInTurn(
    'X4 its files are those that git checks out, by filters too, and its git finds nothing changed',
    async () => {
      const { root, commit, write, filesOf } = await repository({
        '.gitattributes': '*.txt text eol=crlf\n*.big filter=store\n',
        'a.txt': 'a\r\nb\r\n',
        'b.big': 'b\n',
        'plain.md': 'p\n',
      });
      await git(root, 'config', 'filter.store.clean', 'rev');
      await git(root, 'config', 'filter.store.smudge', 'rev');
      await git(root, 'config', 'filter.store.required', 'true');
      await write({ 'b.big': 'big\n' });
      await commit();
      await write({ 'a.txt': 'dirty\r\n', 'b.big': 'dirty\n', '.gitattributes': '' });
      let seen: readonly string[] = [];
      const { isolated, loops } = working(async ({ directory }) => {
        seen = await Promise.all(['a.txt', 'b.big', 'plain.md'].map((name) => textIn(directory, name)));
        seen = [await git(directory, 'status', '--porcelain'), ...seen];
        await writeFile(join(directory, 'b.big'), 'of the run\n');
        return '';
      });
      const live = await isolated(root, fromHead);
      await live.done;
      expect(seen).toEqual(['', 'a\r\nb\r\n', 'big\n', 'p\n']);
      expect(await filesOf(`refs/loopfold/${live.run}/0`)).toMatchObject({ 'a.txt': 'a\r\nb\r\n', 'b.big': 'big\n' });
      expect(await loops().diff(live.run)).toMatchObject({ files: [{ path: 'b.big' }] });
    },
  );

  test('X4 a filter that the commit needs, and that fails, is told, and nothing of the run is left', async () => {
    const { root, commit } = await repository({ '.gitattributes': '*.big filter=store\n', 'b.big': 'b\n' });
    await commit();
    await git(root, 'config', 'filter.store.smudge', 'false');
    await git(root, 'config', 'filter.store.required', 'true');
    const starting = working(async () => '').isolated(root, fromHead);
    await expect(starting).rejects.toThrow(/no worktree could be made.*smudge filter store failed.*Mend that/s);
    expect(await worktreesOf(root)).toEqual([]);
    expect(await git(root, 'for-each-ref', 'refs/loopfold')).toBe('');
  });

  testInTurn('X4 a sparse checkout, a submodule and a linked worktree are as git has them', async () => {
    const inner = await repository({ 'inner.txt': '1' });
    await inner.commit();
    const { root, commit } = await repository({ 'in/a.txt': '1', 'out/b.txt': '1', '.gitattributes': '* text=auto\n' });
    await git(root, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.root, 'sub');
    await commit();
    const linked = join(await temporaryFolder(), 'linked');
    await git(root, 'worktree', 'add', '--quiet', linked);
    await git(linked, 'sparse-checkout', 'set', 'in');
    let seen: readonly string[] = [];
    const { isolated, loops } = working(async ({ directory }) => {
      seen = (await readdir(directory)).filter((name) => !name.startsWith('.git')).toSorted();
      return git(directory, 'status', '--porcelain');
    });
    const live = await isolated(linked, fromHead);
    await live.done;
    expect(seen).toEqual(['in', 'sub']);
    expect(await loops().diff(live.run)).toMatchObject({ files: [] });
  });

  testInTurn('X4 files of the loop that are committed are in no worktree, and are no change of the run', async () => {
    const { root, commit } = await repository({ 'a.txt': '1', '.claude/ralph-loop.local.md': 'state' });
    await git(root, 'add', '--force', '--all');
    await commit();
    let seen: readonly string[] = [];
    const { isolated, loops } = working(async ({ directory }) => {
      seen = (await readdir(directory)).filter((name) => name !== '.git');
      return git(directory, 'status', '--porcelain');
    });
    const live = await isolated(root, fromHead);
    await live.done;
    expect(seen).toEqual(['a.txt']);
    expect(await loops().diff(live.run)).toMatchObject({ files: [] });
  });

  test('X4 a run that only reads has the tree of its start kept, too', async () => {
    const { root, filesOf } = await changed();
    const { isolated } = working(async () => '');
    const live = await isolated(root, { ...fromHead, tools: ['read'] });
    await live.done;
    expect(Object.keys(await filesOf(`refs/loopfold/${live.run}/0`))).toEqual(['.gitignore', 'a.txt', 'gone.txt']);
  });
});

describe('X4 a worktree from HEAD is refused, and what to do is said', () => {
  const refusal = async (root: string) => {
    const { isolated, log } = working(async () => '');
    const error = await isolated(root, fromHead).catch((thrown: Error) => thrown);
    expect(await log.runs()).toEqual([]);
    return error instanceof Error ? error.message : 'not refused';
  };

  test('X4 before the first commit', async () => {
    const { root } = await repository({ 'a.txt': '1' });
    expect(await refusal(root)).toBe(
      `${root} has no commit yet, which a worktree from HEAD begins with. Commit first: git -C ${root} add --all && ` +
        `git -C ${root} commit; or begin with the files as they are, with --isolate-from files`,
    );
  });

  testInTurn('X4 in a folder that is not in the commit', async () => {
    const { root, commit, write } = await repository({ 'a.txt': '1', 'old/a.txt': '1' });
    await commit();
    await write({ 'new/a.txt': '1' });
    const { isolated } = working(async () => '');
    await (
      await isolated(join(root, 'old'), fromHead)
    ).done;
    expect(await refusal(join(root, 'new'))).toMatch(
      /^commit [\da-f]{12} has no folder new\/, so that .* Commit its files, or begin with the files as they are/,
    );
  });

  test('X4 without a worktree, unless it is said that none is meant', async () => {
    const { root } = await changed();
    const without = (more: Partial<RunOptions>) =>
      working(async () => '')
        .start({ directory: root, ...fromHead, ...more })
        .then(async ({ done }) => (await done).kind)
        .catch((error: Error) => error.message);
    expect(await without({})).toBe(
      "isolateFrom: expected isolate 'worktree' beside it (--isolate worktree), or isolate 'none' " +
        "to work on the files as they are (--isolate none), found 'HEAD'",
    );
    expect(await without({ isolate: 'none' })).toBe('ended');
  });
});
