import { basename, dirname, join } from 'node:path';
import { askGit, type GitCall, GitError, gitFacts, gitLine } from './process/git.ts';
import { lstatSync, realpathSync } from 'node:fs';

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

/** The names that git looks for in a folder: the first makes it a work tree, the second perhaps a repository. */
const SIGNS = ['.git', 'HEAD'];

/**
 * Whether a folder is in no git work tree for sure, by a look at the folders around it: it takes microseconds, and a
 * question to git milliseconds. Where this says false, git has to be asked. It holds for calls that let git find the
 * repository.
 */
export function isOutsideGit(directory: string): boolean {
  try {
    return hasNoSign(realpathSync.native(directory));
  } catch {
    return false;
  }
}

function hasNoSign(folder: string): boolean {
  if (SIGNS.some((sign) => lstatSync(join(folder, sign), { throwIfNoEntry: false }) !== undefined)) return false;
  const around = dirname(folder);
  return around === folder || hasNoSign(around);
}

const MAX_CHARACTERS = 320;

/**
 * Reads the address of the user from git's configuration for a folder, where nothing of the repository runs. Null: it
 * has none, or git cannot say.
 */
export const userEmail = (directory: string): Promise<string | null> => configured('user.email', directory);

/** The variables by which git knows the user of a folder without the user's own configuration. */
export async function identityOf(directory: string): Promise<Readonly<Record<string, string>>> {
  const [name, email] = await Promise.all([configured('user.name', directory), userEmail(directory)]);
  return {
    ...(name === null ? {} : { GIT_AUTHOR_NAME: name, GIT_COMMITTER_NAME: name }),
    ...(email === null ? {} : { GIT_AUTHOR_EMAIL: email, GIT_COMMITTER_EMAIL: email }),
  };
}

async function configured(name: string, directory: string): Promise<string | null> {
  try {
    const { exitCode, stdout } = await askGit(['config', '--get', name], { directory });
    const value = new TextDecoder().decode(stdout).trim().slice(0, MAX_CHARACTERS).toWellFormed();
    return exitCode === 0 && value !== '' ? value : null;
  } catch (error) {
    if (error instanceof GitError) return null;
    throw error;
  }
}
