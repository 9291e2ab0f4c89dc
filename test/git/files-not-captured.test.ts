import { expect, test } from 'vitest';
import { keepUncaptured, uncapturedOf } from '../../src/git/capture/files-not-captured.ts';
import { testInTurn } from '../support/in-turn.ts';
import { repository } from './repository.ts';

const RUN = '019a0000-0000-7000-8000-000000000000';
const COMMIT = '1'.repeat(40);

const counted = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}${1_000 + index}`);

/** What is kept of a run that has written these files into folders that its capture has as repositories. */
async function kept(folders: readonly string[], files: readonly string[]) {
  const { root, git, write } = await repository();
  const written = folders.flatMap((folder) => files.map((file) => `${folder}/${file}`));
  await write(Object.fromEntries(written.map((path) => [path, path])));
  const links = folders.map((folder) => ['--cacheinfo', `160000,${COMMIT},${folder}`]).flat();
  await git('update-index', '--add', ...links);
  const tree = (await git('write-tree')).trim();
  const result = await keepUncaptured({ directory: root, run: RUN, tree, since: 0, store: 'memory:' });
  const inGit = await uncapturedOf(RUN, { directory: root });
  return { ...result, inGit, written };
}

test('X4 of at most 1,000 files of a run in repositories within its workspace, all are kept', async () => {
  const { paths, beyond, inGit, written } = await kept(['sub'], counted('f', 1_000));
  expect({ paths: paths.toSorted(), beyond, inGit }).toEqual({ paths: written, beyond: 0, inGit: written });
});

testInTurn('X4 of more files the first 1,000 are kept, and the others counted', async () => {
  const { paths, beyond, inGit } = await kept(['sub', 'then'], counted('f', 501));
  expect([paths.length, inGit.length, beyond]).toEqual([1_000, 1_000, 2]);
  expect(paths.filter((path) => path.startsWith('sub/'))).toHaveLength(501);
});

test('X4 of more than 50 repositories the first 50 are read, and the others counted', async () => {
  const folders = counted('r', 52);
  const { paths, beyond, inGit } = await kept(folders, ['new.txt']);
  const expected = folders.slice(0, 50).map((folder) => `${folder}/new.txt`);
  expect({ paths, beyond, inGit }).toEqual({ paths: expected, beyond: 2, inGit: expected });
});
