import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { git } from './git.ts';

/** Paths of other repositories in the index of a worktree: a checkout leaves their folders empty. */
export async function submodulesOf(top: string): Promise<readonly string[]> {
  const isDeclared = await lstat(join(top, '.gitmodules')).catch(() => null);
  if (!isDeclared) return [];
  const listed = new TextDecoder().decode(await git(['ls-files', '--stage', '-z'], { directory: top }));
  return listed.split('\0').flatMap((line) => /^160000 [^\t]*\t(.*)$/s.exec(line)?.[1] ?? []);
}
