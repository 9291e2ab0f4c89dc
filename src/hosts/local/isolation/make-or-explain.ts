import { GitError } from '../../../actors/workspace/git.ts';
import { type MadeWorktree, makeWorktree, type WorktreeOrder } from '../../../actors/workspace/make-worktree.ts';
import { LargeStartError } from '../../../actors/workspace/start-limits.ts';
import { EnvironmentError } from '../readiness.ts';

/** Throws an `EnvironmentError` with the reason and the remedy, after `cleanUp`. */
export async function makeOrExplain(order: WorktreeOrder, cleanUp: () => Promise<void>): Promise<MadeWorktree> {
  try {
    return await makeWorktree(order);
  } catch (error) {
    await cleanUp().catch(() => {});
    throw explained(error, order);
  }
}

const REMEDIES: ReadonlyMap<string, string> = new Map([
  ['ENOSPC', 'Free some space'],
  ['EDQUOT', 'Free some space'],
  ['EACCES', 'Make the folder writable'],
  ['EPERM', 'Make the folder writable'],
  ['EROFS', 'Make the folder writable'],
  ['ENAMETOOLONG', 'Move the project to a folder with a shorter path'],
]);

/** What a user can do about an error of the disk. Null: it is another error. */
export const remedyFor = (error: unknown): string | null =>
  REMEDIES.get((error as NodeJS.ErrnoException | null)?.code ?? '') ?? null;

function explained(error: unknown, { directory }: WorktreeOrder): unknown {
  if (error instanceof LargeStartError) return new EnvironmentError(error.code, error.message);
  const { message = '' } = error as Error;
  const known = remedyFor(error);
  if (!(error instanceof GitError) && known === null) return error;
  const remedy = known ?? 'Mend that';
  return new EnvironmentError(
    'no_isolation',
    `no worktree could be made from ${directory}: ${message}. Its folder and its references are removed; ` +
      `objects that git has stored for it go with git gc. ` +
      `${remedy}, and try again; or work in the folder itself, with --isolate none`,
  );
}
