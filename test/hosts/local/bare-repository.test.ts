import { expect, test } from 'vitest';
import { isolable } from '../../../src/app/isolation/isolable.ts';
import { git, temporaryFolder } from '../../git/repository.ts';

test('X4 a bare repository is said to have no files, and a folder outside git is to become a repository', async () => {
  const bare = await temporaryFolder();
  await git(bare, 'init', '--quiet', '--bare');
  await expect(isolable(bare, 'files')).rejects.toThrow(/is a bare repository.* Run in a clone or a worktree of it$/);
  const outside = await temporaryFolder();
  await expect(isolable(outside, 'files')).rejects.toThrow(`Run: git init ${outside}; or work in the folder itself`);
});
