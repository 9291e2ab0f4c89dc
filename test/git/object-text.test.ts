import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { textOf } from '../../src/git/object-text.ts';
import { repository } from './repository.ts';

test('V3 a proof reads each text once from its repository, and the next proof reads it again', async () => {
  const { root, git, commit } = await repository({ 'a.txt': 'ü first\n' });
  await commit();
  const hash = (await git('rev-parse', 'HEAD:a.txt')).trim();
  const ours = () => ({ gitDirectory: join(root, '.git'), worktree: root });
  const call = { directory: root, repository: ours() };
  expect(await textOf(hash, call)).toBe('ü first\n');
  await rm(join(root, '.git/objects', hash.slice(0, 2), hash.slice(2)));
  expect(await textOf(hash, { ...call })).toBe('ü first\n');
  expect(await textOf(hash, call, 'ü first\n'.length)).toBeNull();
  await expect(textOf(hash, { directory: root, repository: ours() })).rejects.toThrow('cat-file');
});
