import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { originRepository } from '../../src/git/worktree/origin-repository.ts';
import { bringTo, proofRepository } from '../../src/git/worktree/proof-repository.ts';
import { repository, temporaryFolder } from './repository.ts';

const seconds = async (path: string) => Math.floor((await stat(path)).mtimeMs / 1_000);

test('V3 a checkout goes from tree to tree with an index younger than its files: none is read again', async () => {
  const { root, git, write, commit } = await repository({ 'a.txt': '1\n', 'b.txt': '1\n' });
  const treeOf = async () => (await git('rev-parse', 'HEAD^{tree}')).trim();
  await commit();
  const first = await treeOf();
  await write({ 'a.txt': '2\n' });
  await commit();
  const second = await treeOf();
  const origin = await originRepository(root);
  if (origin === null) throw new Error('no repository');
  const call = await proofRepository(await temporaryFolder(), origin);
  let known = null;
  for (const [tree, content] of [
    [first, '1\n'],
    [second, '2\n'],
    [first, '1\n'],
  ] as const) {
    known = await bringTo(tree, call, known);
    expect(await readFile(join(call.directory, 'a.txt'), 'utf8')).toBe(content);
    const names = await readdir(call.directory);
    const files = await Promise.all(names.map((name) => seconds(join(call.directory, name))));
    expect(await seconds(call.index ?? '')).toBeGreaterThan(Math.max(...files));
  }
});
