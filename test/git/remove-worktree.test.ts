import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { removeWorktree } from '../../src/git/worktree/remove-worktree.ts';
import { placeAt } from '../../src/git/worktree/worktree-place.ts';
import { temporaryFolder } from './repository.ts';

/** Folders within one another, with a path that is longer than a system call takes. */
const DEEP = `for (let i = 0; i < 30; i += 1) {
  fs.mkdirSync('a'.repeat(200));
  process.chdir('a'.repeat(200));
}`;

test('X4 a removal that does not come to its end leaves no half of a worktree under its name', async () => {
  const folder = await temporaryFolder();
  const top = join(folder, 'run');
  await execa('mkdir', [top]);
  await execa(process.execPath, ['-e', DEEP], { cwd: top });
  await writeFile(`${top}.json`, '{}');
  await expect(removeWorktree(placeAt(top))).rejects.toThrow('ENAMETOOLONG');
  expect(await readdir(folder)).toEqual(['run.json', 'run.removed']);
  await execa('rm', ['-rf', `${top}.removed`]);
  await removeWorktree(placeAt(top));
  expect(await readdir(folder)).toEqual([]);
});
