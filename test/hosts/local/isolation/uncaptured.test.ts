import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { git, repository } from '../../../actors/workspace/repository.ts';
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

test.each(['worktree', 'none'] as const)(
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

test('X4 a run that writes beside a submodule has nothing that is not captured', async () => {
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

test('X4 files in a repository that the run has made itself are named, too', async () => {
  const { root, commit } = await repository({ 'a.txt': '1' });
  await commit();
  const { isolated, loops } = working(
    async ({ directory }) => {
      const own = join(directory, 'own');
      await mkdir(own);
      await git(own, 'init', '--quiet');
      await git(own, 'commit', '--quiet', '--allow-empty', '--message=first');
      await writeFile(join(own, 'new.txt'), 'new');
      return '';
    },
    { warn: () => {} },
  );
  const { run, done } = await isolated(root);
  await done;
  expect(await loops().diff(run)).toMatchObject({ uncaptured: ['own/new.txt'] });
});
