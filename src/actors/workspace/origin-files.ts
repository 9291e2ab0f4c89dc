import { captureFolder } from './capture-folder.ts';
import { gitWorktree } from './git-worktree.ts';
import { isBeyond } from './start-limits.ts';
import { untrackedFiles } from './untracked-secrets.ts';

/** Whose worktree was made from a folder, and the address of the log that has the run. */
export interface OriginOf {
  readonly run: string;
  readonly directory: string;
  readonly store: string | null;
}

/**
 * The hash of the tree of the worktree around a folder, under no ref: to tell whether a file there changes. Null
 * outside git, and with so many untracked files that git should not keep them for this. Throws a `GitError`.
 */
export async function originFiles({ run, directory, store }: OriginOf, signal: AbortSignal): Promise<string | null> {
  const worktree = await gitWorktree(directory);
  if (worktree === null) return null;
  const call = { directory: worktree.root, signal };
  const { taken } = await untrackedFiles(call);
  if (await isBeyond(taken, worktree.root)) return null;
  const captured = await captureFolder({ run, directory, store, number: null, listsChanges: false }, signal);
  return captured?.hash ?? null;
}
