import { lstat, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { collectGarbage } from '../../../../src/app/isolation/garbage.ts';
import { LEAVING_MS } from '../../../../src/app/isolation/leftover.ts';
import { git, repository } from '../../../git/repository.ts';
import { testInTurn } from '../../../support/in-turn.ts';
import { working } from './isolated.ts';

/** A project with a submodule, and runs that write one file in it and one beside it. */
async function withSubmodule() {
  const inner = await repository({ 'inner.txt': '1', 'mine.txt': '1' });
  await inner.commit();
  const made = await repository({ 'a.txt': '1' });
  await git(made.root, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.root, 'sub');
  await made.commit();
  await writeFile(join(made.root, 'sub/mine.txt'), 'changed before the run');
  const warned: string[] = [];
  const work = async ({ directory }: { directory: string }) => {
    await writeFile(join(directory, 'sub/inner.txt'), '2');
    await mkdir(join(directory, 'sub/deep'));
    await writeFile(join(directory, 'sub/deep/new.txt'), 'new');
    await writeFile(join(directory, 'a.txt'), '2');
    return '';
  };
  return { ...made, warned, ...working(work, { warn: (message) => warned.push(message) }) };
}

testInTurn.each(['worktree', 'none'] as const)(
  'X4 files that a run writes into a submodule are named and kept, with --isolate %s',
  async (isolate) => {
    const { root, start, loops, warned, filesOf } = await withSubmodule();
    const { run, done } = await start({ directory: root, isolate });
    expect(await done).toMatchObject({ outcome: { ending: 'success' } });
    const change = await loops().diff(run);
    if (change.kind !== 'change') throw new Error(change.kind);
    expect(change.files.map(({ path }) => path)).toEqual(['a.txt']);
    expect(change.uncaptured.toSorted()).toEqual(['sub/deep/new.txt', 'sub/inner.txt']);
    expect(await filesOf(`refs/loopfold/${run}/uncaptured`)).toEqual({
      'sub/deep/new.txt': 'new',
      'sub/inner.txt': '2',
    });
    expect(warned).toEqual([expect.stringMatching(/not captured.* sub\/.*git show refs\/loopfold\/.*uncaptured:PATH/)]);
  },
);

testInTurn('X4 files are of a run also where the file system has them as a little older than the run', async () => {
  const { root, log, loops, write } = await withSubmodule();
  await write({ '.gitignore': 'loopfold.config.json' });
  const { start } = working(
    async ({ directory }) => {
      await writeFile(join(directory, 'sub/inner.txt'), '2');
      await writeFile(join(directory, 'loopfold.config.json'), '{}');
      return '';
    },
    { log },
  );
  const known = log.run.bind(log);
  // As it happens at random: files have the time of the last tick of the kernel.
  const run = async (id: string) => {
    const [record, file] = await Promise.all([known(id), lstat(join(root, 'sub/inner.txt'))]);
    return record && { ...record, createdAt: new Date(Math.floor(file.ctimeMs) + 9).toISOString() };
  };
  Object.assign(log, { run });
  const live = await start({ directory: root });
  await live.done;
  expect(await loops().diff(live.run)).toMatchObject({
    uncaptured: ['sub/inner.txt'],
    deciding: [{ path: 'loopfold.config.json' }],
  });
});

testInTurn('X4 names with quotation marks and line ends in a submodule are kept, packages are not', async () => {
  const { root, loops, log, filesOf } = await withSubmodule();
  const { isolated } = working(
    async ({ directory }) => {
      await mkdir(join(directory, 'sub/node_modules/x'), { recursive: true });
      const files = ['"quoted"', 'two\nlines', 'node_modules/x/index.js'];
      for (const name of files) await writeFile(join(directory, 'sub', name), name);
      return '';
    },
    { log },
  );
  const { run, done } = await isolated(root);
  await done;
  const kept = { 'sub/"quoted"': '"quoted"', 'sub/two\nlines': 'two\nlines' };
  expect(await loops().diff(run)).toMatchObject({ uncaptured: Object.keys(kept) });
  expect(await filesOf(`refs/loopfold/${run}/uncaptured`)).toEqual(kept);
});

testInTurn('X4 a worktree is kept, by gc too, where files in a submodule of it cannot be kept', async () => {
  const { root, git: ask } = await withSubmodule();
  const warned: string[] = [];
  const { isolated, log } = working(
    async ({ directory }) => {
      await writeFile(join(directory, 'sub/new.txt'), 'hours');
      return '';
    },
    { warn: (message) => warned.push(message) },
  );
  const { run, done } = await isolated(root);
  // Git cannot have a ref of the name of a folder of refs.
  await ask('update-ref', `refs/loopfold/${run}/uncaptured/taken`, 'HEAD');
  await done;
  const later = { now: Date.now() + LEAVING_MS };
  expect(warned).toEqual([expect.stringMatching(/files in repositories within it are not kept.*worktree is kept/s)]);
  expect(await collectGarbage(log, root, later)).toMatchObject({ removed: [], kept: [{ run }] });
  expect(await readFile(join(root, '.loopfold/worktrees', run, 'sub/new.txt'), 'utf8')).toBe('hours');
  await ask('update-ref', '-d', `refs/loopfold/${run}/uncaptured/taken`);
  expect(await collectGarbage(log, root, later)).toMatchObject({ removed: [{ run }] });
  expect(await ask('cat-file', 'blob', `refs/loopfold/${run}/uncaptured:sub/new.txt`)).toBe('hours');
});

testInTurn('X4 a run that writes beside a submodule has nothing that is not captured', async () => {
  const { root, loops, log } = await withSubmodule();
  const warned: string[] = [];
  const quiet = working(async ({ directory }) => (await writeFile(join(directory, 'b.txt'), 'b'), ''), {
    log,
    warn: (message) => warned.push(message),
  });
  const { run, done } = await quiet.start({ directory: root });
  await done;
  expect(await loops().diff(run)).toMatchObject({ files: [{ path: 'b.txt' }], uncaptured: [] });
  expect(warned).toEqual([]);
});

describe('X4 the files of a repository that a run has made are in its change as ordinary files', () => {
  testInTurn.each([true, false])('X4 with a commit of its own: %s', async (hasCommit) => {
    const { root, commit } = await repository({ 'a.txt': '1' });
    await commit();
    const warned: string[] = [];
    const work = async ({ directory }: { directory: string }) => {
      const own = join(directory, 'own');
      await mkdir(join(own, 'within'), { recursive: true });
      await git(own, 'init', '--quiet');
      await writeFile(join(own, 'main.rs'), 'code');
      await git(own, 'add', 'main.rs');
      if (hasCommit) await git(own, 'commit', '--quiet', '--message=first');
      await git(join(own, 'within'), 'init', '--quiet');
      await writeFile(join(own, 'within/new.txt'), 'new');
      await writeFile(join(directory, 'a.txt'), '2');
      return '';
    };
    const { isolated, loops } = working(work, { warn: (message) => warned.push(message) });
    const { run, done } = await isolated(root);
    await done;
    const files = ['a.txt', 'own/main.rs', 'own/within/new.txt'].map((path) => ({ path }));
    expect(await loops().diff(run)).toMatchObject({ files, uncaptured: [], leftOut: [] });
    expect(warned).toEqual([]);
    expect(await loops().apply(run)).toMatchObject({ kind: 'done', files });
    expect(await readFile(join(root, 'own/main.rs'), 'utf8')).toBe('code');
    expect(await loops().undo(run)).toMatchObject({ kind: 'done', files });
  });

  test('X4 a repository that was there without a commit is no work of a run, and undo leaves it', async () => {
    const { root, commit, git: ask } = await repository({ 'a.txt': '1' });
    await commit();
    await ask('init', '--quiet', 'mine');
    await writeFile(join(root, 'mine/file'), 'mine');
    const { start, loops } = working(async ({ directory }) => (await writeFile(join(directory, 'a.txt'), '2'), ''));
    const { run, done } = await start({ directory: root });
    await done;
    expect(await loops().diff(run)).toMatchObject({ files: [{ path: 'a.txt' }] });
    expect(await loops().undo(run)).toMatchObject({ kind: 'done' });
    expect(await readFile(join(root, 'mine/file'), 'utf8')).toBe('mine');
  });

  testInTurn('X4 a commit that a run makes in the empty folder of a submodule is in no change', async () => {
    const { root, warned } = await withSubmodule();
    const work = async ({ directory }: { directory: string }) => {
      await git(join(directory, 'sub'), 'init', '--quiet');
      await writeFile(join(directory, 'sub/new.txt'), 'new');
      await git(join(directory, 'sub'), 'add', '--all');
      await git(join(directory, 'sub'), 'commit', '--quiet', '--message=first');
      await writeFile(join(directory, 'a.txt'), '2');
      return '';
    };
    const { isolated, loops } = working(work, { warn: (message) => warned.push(message) });
    const { run, done } = await isolated(root);
    await done;
    expect(await loops().diff(run)).toMatchObject({ files: [{ path: 'a.txt' }], uncaptured: ['sub/new.txt'] });
    expect(await loops().apply(run)).toMatchObject({ kind: 'done', files: [{ path: 'a.txt' }] });
  });
});
