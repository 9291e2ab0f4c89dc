import { appendFile, chmod, mkdir, readdir, readFile, rename } from 'node:fs/promises';
import { rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { EventOf } from '../../../machines/events.ts';
import { captureActor, MAX_CHANGED_FILES } from '../../../src/actors/workspace/capture-actor.ts';
import { performed } from '../performed.ts';
import { git, repository, temporaryFolder } from './repository.ts';

afterEach(() => void vi.unstubAllEnvs());

const RUN = '01900000-0000-7000-8000-000000000000';

const perform = async (directory: string, number = 0, signal?: AbortSignal) =>
  (await performed(captureActor(), { directory, run: RUN, number }, signal)).events;

async function capture(directory: string, number = 0): Promise<EventOf<'workspace.captured'>['payload']> {
  const [event, ...more] = await perform(directory, number);
  if (event?.type !== 'workspace.captured' || more.length > 0) throw new Error(JSON.stringify([event, ...more]));
  return event.payload;
}

const refOf = (number: number) => `refs/loopfold/${RUN}/${number}`;

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

  test('L9 git-ignored files are not, unless they are tracked, nor is what the loop writes itself', async () => {
    const folders = ['.loopfold/log.db', 'sub/.loopfold/deep/state.json'];
    const own = [...folders, '.claude/ralph-loop.local.md', 'sub/.claude/ralph-loop.local.md'];
    const files = { '.gitignore': '*.log\n', 'a.log': 'a', 'sub/.claude/x': 'x' };
    const { root, write, filesOf, commit } = await repository(files);
    await write(Object.fromEntries(own.map((path) => [path, 'first'])));
    expect((await capture(root)).hash).not.toBeNull();
    expect(Object.keys(await filesOf(refOf(0)))).toEqual(['.gitignore', 'sub/.claude/x']);

    await git(root, 'add', '--force', 'a.log', ...own);
    await commit();
    await write(Object.fromEntries(['a.log', ...own].map((path) => [path, 'second'])));
    const { changed } = await capture(root, 1);
    expect(await filesOf(refOf(1))).toEqual({ ...files, 'a.log': 'second' });
    expect(changed.map(({ path }) => path)).toEqual(['a.log']);
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
  const files = fc.dictionary(fc.tuple(name, name).map((parts) => parts.join('/')), fc.string(), { maxKeys: 5 });

  test('L9 for any files, committed, staged or neither', () =>
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
      { numRuns: 8 },
    ));

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
    const { root, write, commit, filesOf } = await repository({ file: 'old' });
    await commit();
    const { mtime } = await stat(join(root, '.git/index'));
    await utimes(join(root, 'file'), mtime, mtime);
    await git(root, 'update-index', '--refresh');
    await utimes(join(root, '.git/index'), mtime, mtime);
    await write({ file: 'new' });
    await utimes(join(root, 'file'), mtime, mtime);
    await capture(root);
    expect(await filesOf(refOf(0))).toEqual({ file: 'new' });
  });

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

  test('L9 the files outside of a sparse checkout stay in it, and those that are there count', async () => {
    const { root, write, commit, git, filesOf } = await repository({ 'in/file': '1', 'out/file': '1' });
    await commit();
    await git('sparse-checkout', 'set', 'in');
    await write({ 'in/file': '2', 'out/new': '2' });
    await capture(root);
    expect(await filesOf(refOf(0))).toEqual({ 'in/file': '2', 'out/file': '1', 'out/new': '2' });
  });
});

describe('L9 what has changed is told against the capture before', () => {
  test('L9 else against the last commit, else against nothing', async () => {
    const { root, write, commit, git } = await repository({ file: '1\n' });
    expect((await capture(root)).changed).toEqual([{ path: 'file', added: 1, removed: 0 }]);
    await write({ file: '1\n2\n', other: '' });
    expect((await capture(root, 1)).changed).toEqual([
      { path: 'file', added: 1, removed: 0 },
      { path: 'other', added: 0, removed: 0 },
    ]);
    await commit();
    expect((await capture(root, 2)).changed).toEqual([]);
    await git('update-ref', '-d', refOf(2));
    await write({ file: '' });
    expect((await capture(root, 3)).changed).toEqual([{ path: 'file', added: 0, removed: 2 }]);
  });

  test('L9 an empty worktree has no changes, but a hash', async () => {
    const { root } = await repository();
    const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
    expect(await capture(root)).toEqual({ hash: emptyTree, ref: refOf(0), changed: [] });
  });

  test('L9 in a repository of longer hashes too', async () => {
    const { root } = await repository({ file: '1\n' }, ['--object-format=sha256']);
    expect(await capture(root)).toMatchObject({
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      changed: [{ path: 'file', added: 1, removed: 0 }],
    });
  });

  test('L9 a moved file is one that went and one that came', async () => {
    const { root } = await repository({ from: 'same\n' });
    await capture(root);
    await rename(join(root, 'from'), join(root, 'to'));
    expect((await capture(root, 1)).changed).toEqual([
      { path: 'from', added: 0, removed: 1 },
      { path: 'to', added: 1, removed: 0 },
    ]);
  });

  test('L9 lines of a binary file are not counted', async () => {
    const { root } = await repository({ binary: Uint8Array.of(0, 1, 2) });
    expect((await capture(root)).changed).toEqual([{ path: 'binary', added: null, removed: null }]);
  });

  test('L9 a file may have any name', async () => {
    const names = [' lead', '"quoted"', '*', ':(top)x', 'ein Ätsch', 'tab\there', 'two\nlines', '\\251'];
    const { root } = await repository(Object.fromEntries(names.map((name) => [name, ''])));
    await writeFile(Buffer.from(`${root}/no-utf8-\xFF\xA9`, 'latin1'), '');
    const paths = (await capture(root)).changed.map(({ path }) => path);
    expect(paths.toSorted()).toEqual([...names, '"no-utf8-\\377\\251"'].toSorted());
  });

  test('L9 of very many changes the first are listed, and the cut is told', async () => {
    const { root } = await repository();
    const count = MAX_CHANGED_FILES + 1;
    await Promise.all(Array.from({ length: count }, (_, index) => writeFile(join(root, `file ${index}`), '')));
    const [warning, captured] = await perform(root);
    const message = `${MAX_CHANGED_FILES} of ${count} changed files are listed.`;
    expect(warning).toEqual({ type: 'warning.raised', payload: { code: 'changes_cut', message } });
    expect(captured).toHaveProperty('payload.changed.length', MAX_CHANGED_FILES);
  });
});

describe('L9 nobody else has a say in it', () => {
  test('L9 no hook runs, whichever the repository has', async () => {
    const { root, git } = await repository({ file: '1' });
    for (const hook of ['post-index-change', 'reference-transaction', 'pre-commit']) {
      const script = `#!/bin/sh\necho ${hook} >> '${root}/.git/ran'\nexit 1\n`;
      await writeFile(join(root, '.git/hooks', hook), script, { mode: 0o755 });
    }
    await git('config', 'core.fsmonitor', `echo fsmonitor >> '${root}/.git/ran'`);
    expect((await capture(root)).hash).not.toBeNull();
    expect(await readdir(join(root, '.git'))).not.toContain('ran');
  });

  test('L9 settings that make git sign, convert, quote or complain do not hinder it', async () => {
    const { root, write, commit, git } = await repository({ unix: 'a\n', dos: 'a\r\n' });
    await commit();
    await git('config', 'core.autocrlf', 'input');
    for (const setting of ['core.safecrlf', 'commit.gpgsign', 'core.quotePath', 'diff.noprefix']) {
      await git('config', setting, 'true');
    }
    await write({ 'new-dos': 'a\r\nb\r\n' });
    const { changed } = await capture(root);
    expect(changed).toContainEqual({ path: 'new-dos', added: 2, removed: 0 });
  });

  test('L9 the environment of a git hook does not lead it elsewhere', async () => {
    const { root } = await repository({ file: '1' });
    const elsewhere = await repository({ other: '2' });
    const expected = await capture(root);
    vi.stubEnv('GIT_DIR', join(elsewhere.root, '.git'));
    vi.stubEnv('GIT_WORK_TREE', elsewhere.root);
    vi.stubEnv('GIT_INDEX_FILE', join(elsewhere.root, '.git/index'));
    vi.stubEnv('GIT_OBJECT_DIRECTORY', join(elsewhere.root, '.git/objects'));
    vi.stubEnv('GIT_LITERAL_PATHSPECS', '1');
    vi.stubEnv('GIT_NAMESPACE', 'other');
    expect(await capture(root)).toEqual(expected);
    expect(await git(elsewhere.root, 'for-each-ref')).toBe('');
  });

  test('L9 but where git and its settings lie may be said', async () => {
    const { root } = await repository({ file: '1' });
    const ignore = join(await temporaryFolder(), 'ignore');
    await writeFile(ignore, 'file\n');
    vi.stubEnv('GIT_CONFIG_COUNT', '1');
    vi.stubEnv('GIT_CONFIG_KEY_0', 'core.excludesFile');
    vi.stubEnv('GIT_CONFIG_VALUE_0', ignore);
    expect((await capture(root)).changed).toEqual([]);
  });
});

describe('L9 where there is nothing to name, the capture says so', () => {
  const nothing = { hash: null, ref: null, changed: [] };
  const failure = (code: string, message: unknown = expect.any(String)) => [
    { type: 'workspace.failed', payload: { fault: { code, message } } },
  ];

  test('L9 outside git', async () => {
    expect(await capture(await temporaryFolder())).toEqual(nothing);
  });

  test('L9 in a folder that the repository around it ignores', async () => {
    const { root } = await repository({ '.gitignore': 'scratch/\n', 'scratch/work/file': '' });
    expect(await capture(join(root, 'scratch/work'))).toEqual(nothing);
  });

  test('L9 a folder that is not there is a failure', async () => {
    const message = expect.stringMatching(/^git rev-parse: .*No such file or directory$/);
    expect(await perform('/nonexistent')).toEqual(failure('git_failed', message));
  });

  test('L9 a repository that is damaged is a failure', async () => {
    const { root } = await repository({ file: '1' });
    await appendFile(join(root, '.git/index'), 'no index');
    expect(await perform(root)).toMatchObject(failure('git_failed'));
  });

  test('L9 so is a filter that fails', async () => {
    const { root, git } = await repository({ '.gitattributes': '* filter=broken', file: '1' });
    await git('config', 'filter.broken.clean', 'false');
    await git('config', 'filter.broken.required', 'true');
    expect(await perform(root)).toMatchObject(failure('git_failed'));
  });

  test('L9 so is a place where no copy of the index can be kept', async () => {
    const { root } = await repository({ file: '1' });
    vi.stubEnv('TMPDIR', '/nonexistent');
    expect(await perform(root)).toMatchObject(failure('capture_failed'));
  });

  test('L9 what cannot be read is left out, and told', async () => {
    const { root, filesOf } = await repository({ file: '1' });
    await mkdir(join(root, 'empty repository'));
    await git(join(root, 'empty repository'), 'init', '--quiet');
    const [warning, captured] = await perform(root);
    const message = expect.stringContaining("'empty repository/' does not have a commit checked out");
    expect(warning).toEqual({ type: 'warning.raised', payload: { code: 'capture_incomplete', message } });
    expect(captured?.type).toBe('workspace.captured');
    expect(await filesOf(refOf(0))).toEqual({ file: '1' });
  });
});

describe('T11 told to stop, a capture ends and leaves nothing behind', () => {
  const interrupted = (reason: string) => [{ type: 'effect.interrupted', payload: { actor: 'capture', reason } }];

  test('T11 before it starts', async () => {
    const { root, git } = await repository({ file: '1' });
    expect(await perform(root, 0, AbortSignal.abort('abort'))).toEqual(interrupted('abort'));
    expect(await git('for-each-ref')).toBe('');
  });

  test('T11 in the middle of it, git and what git has started are ended', async () => {
    const { root, git } = await repository({ '.gitattributes': 'file filter=slow', file: '1' });
    const pid = join(root, '.git/pid');
    await git('config', 'filter.slow.clean', `echo $$ > '${pid}.new' && mv '${pid}.new' '${pid}'; exec sleep 600`);
    const temporary = await temporaryFolder();
    vi.stubEnv('TMPDIR', temporary);
    const told = new AbortController();
    const capturing = perform(root, 0, told.signal);
    const filter = await vi.waitFor(async () => Number(await readFile(pid, 'utf8')), { timeout: 10_000 });
    told.abort('pause');
    expect(await capturing).toEqual(interrupted('pause'));
    await vi.waitFor(() => expect(() => process.kill(filter, 0)).toThrow('ESRCH'), { timeout: 10_000 });
    expect(await readdir(temporary)).toEqual([]);
    expect(await git('for-each-ref')).toBe('');
  });
});
