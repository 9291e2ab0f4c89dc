import { gitWorktree } from '../../git/git-worktree.ts';

/** Whether a folder is in a git work tree. */
export const isInGit = async (directory: string): Promise<boolean> =>
  (await gitWorktree(directory).catch(() => null)) !== null;
