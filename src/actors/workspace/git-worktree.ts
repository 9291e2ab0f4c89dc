import { basename, dirname } from 'node:path';
import { askGit, type GitCall, GitError, gitLine, lineOf } from './git.ts';

export interface GitWorktree {
  /** The top folder of the worktree that holds the directory, as git names it: absolute and real. */
  readonly root: string;
  /** The top folder of the main worktree; `root` itself where that is the main one, or there is none. */
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
  const root = await worktreeRoot({ directory });
  return root === null ? null : { root, mainRoot: await mainRootOf(root) };
}

/** The top folder of the worktree, or null: see `gitWorktree`. */
export async function worktreeRoot(call: GitCall): Promise<string | null> {
  try {
    const { exitCode, stdout, stderr } = await askGit(['rev-parse', '--show-toplevel'], call);
    if (exitCode === 0) return lineOf(stdout);
    if (/not a git repository|must be run in a work tree/.test(stderr)) return null;
    throw new GitError('git_failed', 'rev-parse', stderr);
  } catch (error) {
    if (error instanceof GitError && error.code === 'git_missing') return null;
    throw error;
  }
}

/** A bare repository has no main worktree, and git itself loses one whose `.git` lies elsewhere: then each is its own. */
async function mainRootOf(root: string): Promise<string> {
  const [own, common] = await Promise.all([gitFolder('--git-dir', root), gitFolder('--git-common-dir', root)]);
  if (own === common || basename(common) !== '.git') return root;
  const isBare = await gitLine(['rev-parse', '--is-bare-repository'], { directory: common });
  return isBare === 'true' ? root : dirname(common);
}

function gitFolder(which: '--git-dir' | '--git-common-dir', root: string): Promise<string> {
  return gitLine(['rev-parse', '--path-format=absolute', which], { directory: root });
}
