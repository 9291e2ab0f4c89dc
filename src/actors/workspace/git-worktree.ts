import { basename, dirname } from 'node:path';
import { type GitCall, GitError, gitFacts, gitLine } from './git.ts';
import { isOutsideGit } from './outside-git.ts';

export interface GitWorktree {
  /** The top folder of the worktree that holds the directory, as git names it: absolute and real. */
  readonly root: string;
  /** The top folder of the main worktree; `root` itself if that is the main one, or without one. */
  readonly mainRoot: string;
}

/**
 * The git worktree a directory lies in; null outside git, and where git is not installed. Throws a `GitError` where git
 * refuses to answer, for a repository of someone else for instance.
 *
 * @example
 * const worktree = await gitWorktree(process.cwd());
 * const store = join(worktree?.mainRoot ?? process.cwd(), '.loopfold');
 */
export async function gitWorktree(directory: string): Promise<GitWorktree | null> {
  const facts = await worktreeFacts(['--git-dir', '--git-common-dir'], { directory });
  if (facts === null) return null;
  const [root = '', own = '', common = ''] = facts;
  return { root, mainRoot: await mainRootOf(root, own, common) };
}

/**
 * The top folder of the worktree, and what else `rev-parse` says of the directory; null outside git, and where git is
 * not installed.
 */
export async function worktreeFacts(options: readonly string[], call: GitCall): Promise<readonly string[] | null> {
  if (!call.repository && isOutsideGit(call.directory)) return null;
  try {
    return await gitFacts(['--show-toplevel', ...options], call);
  } catch (error) {
    if (error instanceof GitError && isOutside(error)) return null;
    throw error;
  }
}

const isOutside = ({ code, message }: GitError) =>
  code === 'git_missing' || /not a git repository|must be run in a work tree/.test(message);

/**
 * The top folder of the main worktree, from that of a worktree, its git directory, and the one that all share. A bare
 * repository has no main worktree, and git itself loses one whose `.git` lies elsewhere: then each is its own.
 */
export async function mainRootOf(root: string, own: string, common: string): Promise<string> {
  if (own === common || basename(common) !== '.git') return root;
  const isBare = await gitLine(['rev-parse', '--is-bare-repository'], { directory: common });
  return isBare === 'true' ? root : dirname(common);
}
