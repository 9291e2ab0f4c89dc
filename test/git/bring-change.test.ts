import { chmod, lstat, mkdir, readdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bringChange, type Bringing } from '../../src/git/bring/bring-change.ts';
import { WorkspaceError } from '../../src/git/bring/write-steps.ts';
import { captureFolder } from '../../src/git/capture/capture-folder.ts';
import { testInTurn } from '../support/in-turn.ts';
import { RUN } from './captured.ts';
import { repository, temporaryFolder } from './repository.ts';

const { signal } = new AbortController();
const AT = '2026-11-23T00:00:00.000Z';

/** The tree of a folder as it is. */
export async function treeOf(directory: string): Promise<string> {
  const captured = await captureFolder({ directory, run: RUN, number: null, listsChanges: false }, signal);
  return captured?.hash ?? '';
}

/** Everything on the disk but git's records: files with their right to execute, links with where they lead. */
async function disk(root: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(root.length + 1);
    if (name === '.git' || name.startsWith('.git/') || entry.isDirectory()) continue;
    if (entry.isSymbolicLink()) found[name] = `-> ${await readlink(path)}`;
    else {
      const isExecutable = ((await lstat(path)).mode & 0o100) !== 0;
      found[name] = (isExecutable ? '* ' : '') + (await readFile(path, 'latin1'));
    }
  }
  return found;
}

type How = Partial<Pick<Bringing, 'force' | 'dryRun'>>;
const common = (root: string) => ({ run: RUN, directory: root, leaveOut: [], store: null, at: AT });
const undo = (root: string, start: string, end: string, how: How = {}) =>
  bringChange({ ...common(root), ...how, verb: 'undo', from: end, to: start, isWhole: false }, signal);
const apply = (root: string, start: string, end: string, how: How = {}) =>
  bringChange({ ...common(root), ...how, verb: 'apply', from: start, to: end, isWhole: true }, signal);

/** A workspace in which a run has done something, with the trees of its start and its end. */
async function worked(files: Record<string, string>, work: (root: string) => Promise<unknown>) {
  const repo = await repository(files);
  await repo.commit();
  const start = await treeOf(repo.root);
  const before = await disk(repo.root);
  await work(repo.root);
  const after = await disk(repo.root);
  return { ...repo, start, end: await treeOf(repo.root), before, after };
}

const manyThings = () =>
  worked(
    { changed: '1\n', removed: 'r\n', 'deep/er/removed': 'd\n', mode: 'm\n', becomesLink: 'b\n', other: 'o' },
    async (root) => {
      await writeFile(join(root, 'changed'), '1\n2\n');
      await rm(join(root, 'removed'));
      await rm(join(root, 'deep'), { recursive: true });
      await chmod(join(root, 'mode'), 0o755);
      await rm(join(root, 'becomesLink'));
      await symlink('other', join(root, 'becomesLink'));
      await mkdir(join(root, 'new/folder'), { recursive: true });
      await writeFile(join(root, 'new/folder/binary'), Buffer.from([0, 255, 1, 10, 13]));
      await writeFile(join(root, 'ein Ätsch\n'), 'odd name');
    },
  );

describe('G10 undo brings the files back to what they were at the start', () => {
  testInTurn(
    'G10 contents, created and removed files, modes, links, and odd names; git itself sees nothing',
    async () => {
      const { root, start, end, before, after, untouched } = await manyThings();
      const { index, head, heads } = await untouched();
      const undone = await undo(root, start, end);
      expect(undone).toMatchObject({ kept: [], isWritten: true, paths: 7 });
      expect(await disk(root)).toEqual(before);
      expect(await untouched()).toMatchObject({ index, head, heads });
      expect(await readdir(root)).not.toContain('new');
      expect(await apply(root, start, end)).toMatchObject({ kept: [], isWritten: true });
      expect(await disk(root)).toEqual(after);
    },
  );

  testInTurn('G10 a second time it says when, and changes nothing', async () => {
    const { root, start, end, before } = await manyThings();
    await undo(root, start, end);
    expect(await undo(root, start, end)).toMatchObject({ steps: [], kept: [], isWritten: false, doneAt: AT });
    expect(await disk(root)).toEqual(before);
    await writeFile(join(root, 'changed'), 'by a person\n');
    expect(await undo(root, start, end)).toMatchObject({ steps: [], kept: [], isWritten: false, doneAt: AT });
  });

  testInTurn('G10 what a person has changed since stays, merged where both fit, else left and listed', async () => {
    const lines = 'a\nb\nc\nd\ne\nf\ng\n';
    const { root, start, end } = await worked({ both: lines, clash: '1\n', kept: 'k\n' }, async (folder) => {
      await writeFile(join(folder, 'both'), lines.replace('b', 'B by the run'));
      await writeFile(join(folder, 'clash'), '2\n');
      await rm(join(folder, 'kept'));
      await writeFile(join(folder, 'made'), 'made\n');
    });
    await writeFile(join(root, 'both'), (await readFile(join(root, 'both'), 'utf8')).replace('f', 'F by a person'));
    await writeFile(join(root, 'clash'), '3\n');
    await writeFile(join(root, 'kept'), 'another\n');
    await writeFile(join(root, 'made'), 'made and changed\n');
    const undone = await undo(root, start, end);
    expect(undone?.kept.map(({ path }) => path)).toEqual(['clash', 'kept', 'made']);
    expect(undone?.steps.map(({ path, isMerged }) => [path, isMerged])).toEqual([['both', true]]);
    expect(await disk(root)).toEqual({
      both: lines.replace('f', 'F by a person'),
      clash: '3\n',
      kept: 'another\n',
      made: 'made and changed\n',
    });
    // Asked again, the same are left: they still are.
    expect((await undo(root, start, end))?.kept.map(({ path }) => path)).toEqual(['clash', 'kept', 'made']);
    const forced = await undo(root, start, end, { force: true });
    expect(forced?.kept).toEqual([]);
    expect(await disk(root)).toMatchObject({ clash: '1\n', kept: 'k\n' });
    expect(await disk(root)).not.toHaveProperty('made');
  });

  test('G10 what stands in the way on the disk, and in no tree, is neither followed nor replaced', async () => {
    const outside = await temporaryFolder();
    await writeFile(join(outside, 'file'), 'of another');
    const empty = await temporaryFolder();
    const { root, start, end, write, git } = await worked(
      { ignored: 'not ignored yet\n', 'folder/file': 'f\n', 'linked/file': 'l\n', 'mixed/file': 'm\n' },
      (folder) =>
        Promise.all(
          ['ignored', 'folder', 'linked', 'mixed'].map((name) => rm(join(folder, name), { recursive: true })),
        ),
    );
    await write({ '.git/info/exclude': 'ignored\nlinked\nmixed/file/own\n', 'mixed/file/own': 'of the person' });
    await git('rm', '--quiet', '--cached', 'ignored');
    await writeFile(join(root, 'ignored'), 'a secret of the person');
    await symlink(outside, join(root, 'folder'));
    await symlink(empty, join(root, 'linked'));
    const undone = await undo(root, start, end);
    expect(undone).toMatchObject({ isWritten: false });
    expect(undone?.kept.map(({ path }) => path)).toEqual(['folder/file', 'ignored', 'linked/file', 'mixed/file']);
    expect(await readFile(join(outside, 'file'), 'utf8')).toBe('of another');
    expect(await readdir(empty)).toEqual([]);
    expect(await readFile(join(root, 'ignored'), 'utf8')).toBe('a secret of the person');
  });

  testInTurn('G10 a folder takes the place of a file, and a file that of a folder', async () => {
    const { root, start, end, before, after } = await worked(
      { a: 'a\n', 'b/c/d': 'd\n', 'b/e': 'e\n' },
      async (folder) => {
        await rm(join(folder, 'a'));
        await mkdir(join(folder, 'a/deep'), { recursive: true });
        await writeFile(join(folder, 'a/deep/file'), 'f\n');
        await rm(join(folder, 'b'), { recursive: true });
        await writeFile(join(folder, 'b'), 'b\n');
      },
    );
    expect(await undo(root, start, end)).toMatchObject({ kept: [] });
    expect(await disk(root)).toEqual(before);
    expect(await apply(root, start, end)).toMatchObject({ kept: [] });
    expect(await disk(root)).toEqual(after);
  });
});

describe('G10 apply brings the change into a workspace that has gone on, whole or not at all', () => {
  testInTurn('G10 into the changed lines of another it merges, over them it writes nothing', async () => {
    const lines = 'a\nb\nc\nd\ne\nf\ng\n';
    const { root, start, end, git } = await worked({ both: lines, plain: 'p\n' }, async (folder) => {
      await writeFile(join(folder, 'both'), lines.replace('b', 'B by the run'));
      await writeFile(join(folder, 'plain'), 'by the run\n');
    });
    await git('checkout', '--quiet', '.');
    await writeFile(join(root, 'both'), lines.replace('f', 'F by a person'));
    expect(await apply(root, start, end, { dryRun: true })).toMatchObject({ isWritten: false, steps: [{}, {}] });
    expect(await readFile(join(root, 'plain'), 'utf8')).toBe('p\n');
    expect(await apply(root, start, end)).toMatchObject({ kept: [], isWritten: true });
    const merged = lines.replace('b', 'B by the run').replace('f', 'F by a person');
    expect(await disk(root)).toEqual({ both: merged, plain: 'by the run\n' });
    expect(await apply(root, start, end)).toMatchObject({ steps: [], isWritten: false, doneAt: AT });
    await writeFile(join(root, 'both'), merged.replace('B by the run', 'B by a person'));
    expect(await apply(root, start, end)).toMatchObject({ steps: [], kept: [], isWritten: false });
    await git('checkout', '--quiet', '.');
    await writeFile(join(root, 'both'), lines.replace('b', 'B by a person'));
    const before = await disk(root);
    expect(await apply(root, start, end)).toMatchObject({ isWritten: true, kept: [], since: ['both'] });
    expect(await disk(root)).toEqual({ ...before, plain: 'by the run\n' });
  });

  testInTurn('G10 a conflict leaves every file as it is', async () => {
    const { root, start, end, git } = await worked({ one: '1\n', two: '2\n' }, async (folder) => {
      await writeFile(join(folder, 'one'), 'run\n');
      await writeFile(join(folder, 'two'), 'run\n');
    });
    await git('checkout', '--quiet', '.');
    await writeFile(join(root, 'two'), 'person\n');
    const before = await disk(root);
    expect(await apply(root, start, end)).toMatchObject({ isWritten: false, kept: [{ path: 'two' }] });
    expect(await disk(root)).toEqual(before);
  });

  test('G10 a folder that cannot be written is found before any file is changed', async () => {
    const { root, start, end } = await worked({ 'a/file': '1\n', 'b/file': '1\n' }, async (folder) => {
      await writeFile(join(folder, 'a/file'), '2\n');
      await writeFile(join(folder, 'b/file'), '2\n');
    });
    // A folder in the place of the unfinished file, which no permission of the caller can overcome.
    const { draftPath } = await import('../../src/git/bring/write-steps.ts');
    await mkdir(join(draftPath(root, RUN, 'b', 'b/file').toString(), 'x'), { recursive: true });
    const before = await disk(root);
    await expect(undo(root, start, end)).rejects.toThrow(WorkspaceError);
    expect(await disk(root)).toEqual(before);
  });
});

testInTurn('G10 a folder that became a link comes back, and becomes the link again', async () => {
  const { root, start, end, before, after } = await worked({ 'pages/i': '1\n', 'docs/i': '1\n' }, async (folder) => {
    await rm(join(folder, 'docs'), { recursive: true });
    await symlink('pages', join(folder, 'docs'));
  });
  expect(await undo(root, start, end)).toMatchObject({ kept: [] });
  expect(await disk(root)).toEqual(before);
  expect(await apply(root, start, end)).toMatchObject({ kept: [] });
  expect(await disk(root)).toEqual(after);
});

testInTurn('G10 an empty folder at the place of a file is no obstacle', async () => {
  const work = (folder: string) => writeFile(join(folder, 'new'), '2\n');
  const { root, start, end, after } = await worked({ old: '1\n' }, work);
  await undo(root, start, end);
  await mkdir(join(root, 'new/empty'), { recursive: true });
  expect(await apply(root, start, end)).toMatchObject({ kept: [] });
  expect(await disk(root)).toEqual(after);
});

/** The contents of a path in everything that can be reached from the newest record. */
async function everKept(git: (...args: string[]) => Promise<string>, path: string): Promise<readonly string[]> {
  const commits = (await git('rev-list', `refs/loopfold/${RUN}/brought`)).trim().split('\n');
  return Promise.all(commits.map((commit) => git('show', `${commit}:${path}`).catch(() => '')));
}

const LAST = `refs/loopfold/${RUN}/brought`;

/** Makes the newest record that of a process that was killed before it had written everything. */
async function killedWhile(git: (...args: string[]) => Promise<string>): Promise<void> {
  await git('update-ref', LAST, `${LAST}^2`);
}

describe('G10 everything that apply and undo replace stays in git', () => {
  testInTurn('G10 the workspaces before several forced calls can all be reached', async () => {
    const { root, start, end, git, write } = await worked({ f: '1\n' }, (folder) =>
      writeFile(join(folder, 'f'), '2\n'),
    );
    await write({ f: 'mine\n' });
    await undo(root, start, end, { force: true });
    await apply(root, start, end);
    await write({ f: 'mine again\n' });
    await undo(root, start, end, { force: true });
    expect(await git('show', `${LAST}^:f`)).toBe('mine again\n');
    expect(await everKept(git, 'f')).toEqual(expect.arrayContaining(['mine\n', '2\n', 'mine again\n']));
  });

  testInTurn(
    'G10 a call that finishes that of a killed process keeps what was there before both, and between',
    async () => {
      const files = { f: '1\n', g: '1\n' };
      const { root, start, end, git, write } = await worked(files, async (folder) => {
        for (const name of ['f', 'g']) await writeFile(join(folder, name), '2\n');
      });
      await write({ f: 'mine\n', g: 'mine too\n' });
      const first = await undo(root, start, end, { force: true });
      await killedWhile(git);
      await write({ f: '1\n', g: 'between\n' });
      const second = await undo(root, start, end, { force: true });
      expect(await disk(root)).toEqual(files);
      expect(second?.before).toBe(first?.before);
      expect(await git('show', `${LAST}^:f`)).toBe('mine\n');
      expect(await everKept(git, 'g')).toEqual(expect.arrayContaining(['mine too\n', 'between\n']));
    },
  );

  test('G10 a change that swaps a file and a folder is finished after a kill', async () => {
    const { root, start, end, before, git } = await worked({ file: '1', 'folder/in': '1' }, async (folder) => {
      await rm(join(folder, 'file'));
      await mkdir(join(folder, 'file'));
      await writeFile(join(folder, 'file/in'), '2');
      await rm(join(folder, 'folder'), { recursive: true });
      await writeFile(join(folder, 'folder'), '2');
    });
    await undo(root, start, end);
    await killedWhile(git);
    expect(await undo(root, start, end)).toMatchObject({ kept: [] });
    expect(await disk(root)).toEqual(before);
    expect(await apply(root, start, end)).toMatchObject({ kept: [], isWritten: true });
  });
});
