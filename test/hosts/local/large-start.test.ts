import { mkdir, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { git, repository } from '../../git/repository.ts';
import type { EnvironmentError } from '../../../src/actors/environment-error.ts';
import { testInTurn } from '../../support/in-turn.ts';
import { working, worktreesOf } from './isolation/isolated.ts';

const numbered = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`files/${index}`, '']));

async function started(root: string, isolate: 'none' | 'worktree' = 'none') {
  const { start, requests, log } = working(async () => '');
  const refused = await start({ directory: root, isolate }).then(
    async ({ done }) => (await done, null),
    ({ name, code, message }: EnvironmentError) => ({ name, code, message }),
  );
  return { refused, asked: requests.length, runs: await log.runs() };
}

const tooLarge = (repository: string) => ({
  name: 'EnvironmentError',
  code: 'large_start',
  message: expect.stringMatching(new RegExp(`^${repository} has no commit, .*more than 1000 files or 64 MiB`)),
});

describe('G10 a run does not begin where the start of a repository without a commit would be too large', () => {
  testInTurn.each(['none', 'worktree'] as const)(
    'G10 too many files, with --isolate %s: no model is asked',
    async (isolate) => {
      const { root, git: ask } = await repository(numbered(1_001));
      expect(await started(root, isolate)).toMatchObject({ refused: tooLarge(root), asked: 0, runs: [] });
      expect([await ask('for-each-ref'), await worktreesOf(root)]).toEqual(['', []]);
    },
  );

  test('G10 too many bytes', async () => {
    const { root } = await repository({ one: '', other: '' });
    await truncate(join(root, 'one'), 32 * 1024 * 1024);
    await truncate(join(root, 'other'), 32 * 1024 * 1024 + 1);
    expect(await started(root)).toMatchObject({ refused: tooLarge(root) });
  });

  test('G10 in a repository within', async () => {
    const { root, commit } = await repository({ 'a.txt': '1' });
    await commit();
    await mkdir(join(root, 'own/files'), { recursive: true });
    await git(join(root, 'own'), 'init', '--quiet');
    for (const path of Object.keys(numbered(1_001))) await writeFile(join(root, 'own', path), '');
    expect(await started(root)).toMatchObject({ refused: tooLarge(join(root, 'own')) });
  });
});

testInTurn.each([
  ['it is as large as it may be', async () => {}, 1_000],
  ['there is a commit', async (root: string) => git(root, 'commit', '--allow-empty', '--quiet', '--message=1'), 1_001],
  ['git ignores them', async (root: string) => writeFile(join(root, '.git/info/exclude'), 'files\n'), 1_001],
  ['git tracks them already', async (root: string) => git(root, 'add', '--all'), 1_001],
])('G10 it begins where %s', async (_why, prepare, count) => {
  const { root } = await repository(numbered(count));
  await prepare(root);
  expect(await started(root)).toMatchObject({ refused: null, asked: 2 });
});
