import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { repositoriesAmong } from './git-names.ts';
import { git } from './git.ts';

/** Paths of other repositories in the index of a worktree: a checkout leaves their folders empty. */
export async function submodulesOf(top: string): Promise<readonly string[]> {
  const isDeclared = await lstat(join(top, '.gitmodules')).catch(() => null);
  if (!isDeclared) return [];
  const listed = new TextDecoder().decode(await git(['ls-files', '--stage', '-z'], { directory: top }));
  return repositoriesAmong(listed.split('\0'));
}
