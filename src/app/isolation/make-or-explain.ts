import { GitError } from '../../git/process/git.ts';
import { type MadeWorktree, makeWorktree, type WorktreeOrder } from '../../git/worktree/make-worktree.ts';
import { LargeStartError } from '../../git/capture/start-limits.ts';
import { EnvironmentError, remedyFor } from '../../actors/environment-error.ts';

/** Throws an `EnvironmentError` with the reason and the remedy, after `cleanUp`. */
export async function makeOrExplain(order: WorktreeOrder, cleanUp: () => Promise<void>): Promise<MadeWorktree> {
  try {
    return await makeWorktree(order);
  } catch (error) {
    await cleanUp().catch(() => {});
    throw explained(error, order);
  }
}

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
