import { mkdir, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { git, repository } from '../../../git/repository.ts';
import { testInTurn } from '../../../support/in-turn.ts';
import { working, worktreesOf } from './isolated.ts';

const MIB = 1024 * 1024;

const numbered = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`files/${index}`, `${index}`]));

/** A project, and a run of its own worktree that clones another and then does some work. */
async function cloning(files: Readonly<Record<string, string>>, work: (clone: string) => Promise<unknown>) {
  const from = await repository(files);
  await from.commit();
  const { root, commit } = await repository({ 'a.txt': '1' });
  await commit();
  const warned: string[] = [];
  const { isolated, loops } = working(
    async ({ directory }) => {
      await git(directory, 'clone', '--quiet', from.root, 'clone');
      await mkdir(join(directory, 'small'));
      await git(join(directory, 'small'), 'init', '--quiet');
      await writeFile(join(directory, 'small/new.txt'), 'new');
      await work(join(directory, 'clone'));
      return '';
    },
    { warn: (message) => warned.push(message) },
  );
  const { run, done } = await isolated(root);
  await done;
  const change = await loops().diff(run);
  if (change.kind !== 'change') throw new Error(change.kind);
  return { root, warned, paths: change.files.map(({ path }) => path), leftOut: change.leftOut };
}

const LEFT = { path: 'clone/', because: expect.stringMatching(/made or cloned.* more than 1000 files or 64 MiB/) };

testInTurn('X4 a repository of more than 1,000 files that a run clones is left out as a whole, and named', async () => {
  const { root, warned, paths, leftOut } = await cloning(numbered(1_001), async () => {});
  expect({ paths, leftOut }).toEqual({ paths: ['small/new.txt'], leftOut: [LEFT] });
  expect(warned).toEqual([expect.stringMatching(/not captured.* clone\/ \(a repository that the run made or cloned/)]);
  expect(await worktreesOf(root)).toEqual([]);
});

testInTurn('X4 the limits of repositories that a run has made are for all of them together', async () => {
  const { paths, leftOut } = await cloning(numbered(1_000), async () => {});
  expect({ paths, leftOut }).toEqual({ paths: ['small/new.txt'], leftOut: [LEFT] });
});

testInTurn('X4 a repository within the limits that a run clones is captured', async () => {
  const { paths, leftOut, warned } = await cloning(numbered(999), async () => {});
  expect({ files: paths.length, leftOut, warned }).toEqual({ files: 1_000, leftOut: [], warned: [] });
});

test('X4 a repository of more than 64 MiB that a run clones is left out', async () => {
  const work = async (clone: string) => {
    await writeFile(join(clone, 'large'), '');
    await truncate(join(clone, 'large'), 64 * MIB);
  };
  const { paths, leftOut } = await cloning({ file: 'one byte more' }, work);
  expect({ paths, leftOut }).toEqual({ paths: ['small/new.txt'], leftOut: [LEFT] });
});

testInTurn.each([
  ['files that are not committed', (clone: string) => writeFile(join(clone, 'files/0'), 'mine')],
  ['a commit', (clone: string) => git(clone, 'commit', '--quiet', '--allow-empty', '--message=mine')],
])('X4 the worktree is kept where a repository that is left out has %s of the run', async (_what, work) => {
  const { root, warned } = await cloning(numbered(1_001), work);
  expect(warned).toEqual([expect.stringMatching(/clone\//), expect.stringMatching(/no capture at all.*is kept/)]);
  expect(await worktreesOf(root)).not.toEqual([]);
});
