import { bringPlan, type Kept, withMergedTree } from './bring-plan.ts';
import { askGit, git, type GitCall, GitError, gitLine } from '../process/git.ts';
import { storedChanges } from '../worktree/entries-of-store.ts';
import { treeChanges, treeEntries } from '../tree-change.ts';

// The branch of a loop that keeps its results as commits, one on top of the other. It is moved by name alone, from the
// commit that it is known to be at: the index, the files and the checked out branch of the user stay as they are.

/** Where git cannot tell who the user is. */
const OWN_NAME = ['user.name=loopfold', 'user.email=loopfold@localhost'];

export interface LoopCommit {
  readonly branch: string;
  /** The commit before it, which the branch is at unless it is new. */
  readonly parent: string;
  /** Trees of captures: the change leads from one to the other. */
  readonly from: string;
  readonly to: string;
  /** Names from the root that belong to no change. */
  readonly leaveOut: readonly string[];
  readonly message: string;
}

/** A commit that can be made, as far as that is known before. */
export interface PlannedCommit extends Pick<LoopCommit, 'branch' | 'parent' | 'message'> {
  /** As the user's git stores it. */
  readonly tree: string;
  /** What the branch is at. Null: there is no such branch. */
  readonly tip: string | null;
  /** The commit was made already, by a process that could not say so. */
  readonly isMade: boolean;
}

/** Why the branch cannot have the commit. */
export type NoCommit =
  | { readonly kind: 'moved'; readonly tip: string }
  | { readonly kind: 'checked_out'; readonly at: string }
  /** Git keeps no branch `a/b` beside a branch `a`. */
  | { readonly kind: 'beside'; readonly other: string }
  | { readonly kind: 'conflict'; readonly kept: readonly Kept[] };

/** What the commit will be, before anything is written but objects. Throws a `GitError`. */
export async function plannedCommit(
  asked: LoopCommit,
  of: GitCall,
): Promise<(PlannedCommit & { readonly kind: 'planned' }) | NoCommit> {
  const { branch, parent, message } = asked;
  const call = { ...of, mayFetch: true };
  const tip = await tipOf(branch, call);
  // First of all: the user may have checked out a branch that has the commit already.
  const made = await madeAt(tip, asked, call);
  if (made) return { kind: 'planned', branch, parent, message, ...made, isMade: true };
  const other = await branchAbove(branch, call);
  if (other !== null) return { kind: 'beside', other };
  const at = await checkedOutAt(branch, call);
  if (at !== null) return { kind: 'checked_out', at };
  const tree = await storedOn(asked, call);
  if (typeof tree !== 'string') return tree;
  if (tip !== null && tip !== parent) return { kind: 'moved', tip };
  return { kind: 'planned', branch, parent, message, tree, tip, isMade: false };
}

interface Made {
  readonly tip: string;
  readonly tree: string;
}

/** The commit that the branch is at, where that is the one asked for, and its tree. Throws a `GitError`. */
export async function madeCommit(asked: LoopCommit, of: GitCall): Promise<Made | null> {
  const call = { ...of, mayFetch: true };
  return madeAt(await tipOf(asked.branch, call), asked, call);
}

async function madeAt(tip: string | null, asked: LoopCommit, call: GitCall): Promise<Made | null> {
  const { parent, message } = asked;
  if (tip === null || tip === parent) return null;
  const tree = await storedOn(asked, call);
  return typeof tree === 'string' && (await isThat(tip, { tree, parent, message }, call)) ? { tip, tree } : null;
}

/**
 * Makes the commit, and moves the branch to it from where it was. Its author is the user of git's configuration; no
 * hook runs. Null: the branch was moved meanwhile. Throws a `GitError`.
 */
export async function commitToBranch(
  { branch, parent, message, tree, tip, isMade }: PlannedCommit,
  call: GitCall,
): Promise<string | null> {
  if (isMade && tip !== null) return tip;
  const commit = await committed(['commit-tree', tree, '-p', parent, '-F', '-'], message, call);
  const before = tip ?? '0'.repeat(commit.length);
  const moved = await askGit(['update-ref', `refs/heads/${branch}`, commit, before], call);
  if (moved.exitCode === 0) return commit;
  if ((await tipOf(branch, call)) !== tip) return null;
  throw new GitError('git_failed', 'update-ref', moved.stderr);
}

async function committed(args: readonly string[], message: string, call: GitCall): Promise<string> {
  const input = new TextEncoder().encode(message);
  // A night's work is worth more than a name.
  const { exitCode } = await askGit(['var', 'GIT_COMMITTER_IDENT'], call);
  return gitLine(args, { ...call, input, ...(exitCode === 0 ? {} : { settings: OWN_NAME }) });
}

/** The commit before with the change, as the user's git stores it. */
async function storedOn({ parent, from, to, leaveOut }: LoopCommit, call: GitCall) {
  const changes = await storedChanges(await treeChanges(from, to, call, leaveOut), parent, call);
  const { kept, steps } = await bringPlan(changes, { now: await treeEntries(parent, call) }, call);
  if (kept.length > 0) return { kind: 'conflict', kept } as const;
  return withMergedTree(parent, steps, call, async ({ hash }) => hash);
}

async function isThat(
  commit: string,
  { tree, parent, message }: Pick<PlannedCommit, 'tree' | 'parent' | 'message'>,
  call: GitCall,
): Promise<boolean> {
  const said = new TextDecoder().decode(await git(['cat-file', 'commit', commit], call));
  const end = said.indexOf('\n\n');
  const head = said.slice(0, end);
  const parents = [...head.matchAll(/^parent ([\da-f]+)$/gm)].map(([, one]) => one);
  return (
    head.startsWith(`tree ${tree}\n`) && parents.join() === parent && said.slice(end + 2).trim() === message.trim()
  );
}

async function tipOf(branch: string, call: GitCall): Promise<string | null> {
  const { exitCode, stdout } = await askGit(['rev-parse', '--verify', '--quiet', `refs/heads/${branch}`], call);
  return exitCode === 0 ? new TextDecoder().decode(stdout).trim() : null;
}

/** The folder of a worktree that has the branch checked out: moving it would seem to change the files there. */
async function checkedOutAt(branch: string, call: GitCall): Promise<string | null> {
  const listed = new TextDecoder().decode(await git(['worktree', 'list', '--porcelain', '-z'], call));
  const found = listed.split('\0\0').find((one) => one.split('\0').includes(`branch refs/heads/${branch}`));
  return found === undefined ? null : found.split('\0')[0]?.replace(/^worktree /, '') || '';
}

/** A branch whose name is a folder of this one's. */
async function branchAbove(branch: string, call: GitCall): Promise<string | null> {
  const parts = branch.split('/');
  const above = parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'));
  for (const one of above) if ((await tipOf(one, call)) !== null) return one;
  return null;
}
