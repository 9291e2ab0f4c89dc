import { bringPlan, type Kept, withMergedTree } from './bring-plan.ts';
import { askGit, git, type GitCall, gitLine } from '../process/git.ts';
import { isUnder } from '../capture/log-names.ts';
import { storedChanges, storedEntries } from '../worktree/entries-of-store.ts';
import { treeChanges, treeEntries } from '../tree-change.ts';
import { sameEntry } from '../../evidence/tree-entry.ts';

export interface BranchCommit {
  readonly branch: string;
  readonly message: string;
  /** Trees. */
  readonly from: string;
  readonly to: string;
  /** Names from the root that do not belong to the change. */
  readonly leaveOut: readonly string[];
  /** The commit that the branch continues; null: the commit is the first, with everything in `to`. */
  readonly head: string | null;
}

export type Branched =
  /** `isFirst`: the branch that is checked out has no commit, so git can switch to none over untracked files. */
  | { readonly kind: 'made'; readonly commit: string; readonly isFirst: boolean }
  | { readonly kind: 'exists' }
  | { readonly kind: 'bad_name' }
  /** Git keeps no branch `a/b` beside a branch `a`. */
  | { readonly kind: 'beside'; readonly other: string }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'conflict'; readonly kept: readonly Kept[] };

/**
 * Makes a branch with one commit, the change from one tree to another, as the user's git stores it: its filters run for
 * the paths of the change. No hook runs; the user's index, files and checked out branch stay as they are.
 */
export async function branchCommit(asked: BranchCommit, of: GitCall): Promise<Branched> {
  const call = { ...of, mayFetch: true };
  const { branch, message, from, to, leaveOut, head } = asked;
  const ref = `refs/heads/${branch}`;
  if (!(await isBranchName(branch, call))) return { kind: 'bad_name' };
  if ((await askGit(['show-ref', '--verify', '--quiet', ref], call)).exitCode === 0) return { kind: 'exists' };
  const other = await branchInTheWay(branch, call);
  if (other !== null) return { kind: 'beside', other };
  const captured = await treeChanges(from, to, call, leaveOut);
  if (captured.length === 0) return { kind: 'nothing' };
  const changes = head === null ? captured : await storedChanges(captured, head, call);
  const parents = head === null ? [] : ['-p', head];
  const plan = head === null ? null : await bringPlan(changes, { now: await treeEntries(head, call) }, call);
  if (plan && plan.kept.length > 0) return { kind: 'conflict', kept: plan.kept };
  if (plan && plan.steps.length === 0) return { kind: 'nothing' };
  const tree =
    plan && head !== null
      ? await withMergedTree(head, plan.steps, call, async ({ hash }) => hash)
      : await storedWithout(to, leaveOut, call);
  const input = new TextEncoder().encode(message);
  const commit = await gitLine(['commit-tree', tree, ...parents, '-F', '-'], { ...call, input });
  const isFirst = head === null && (await isUnborn(call));
  // Only if it still does not exist.
  await git(['update-ref', ref, commit, '0'.repeat(commit.length)], call);
  return { kind: 'made', commit, isFirst };
}

async function isUnborn(call: GitCall): Promise<boolean> {
  return (await askGit(['rev-parse', '--verify', '--quiet', 'HEAD'], call)).exitCode !== 0;
}

/** A branch whose name is a folder of this one's, or the other way round. */
async function branchInTheWay(branch: string, call: GitCall): Promise<string | null> {
  const parts = branch.split('/');
  const above = parts.slice(1).map((_, index) => `refs/heads/${parts.slice(0, index + 1).join('/')}`);
  const format = '--format=%(refname)';
  const { stdout } = await askGit(['for-each-ref', format, ...above, `refs/heads/${branch}/`], call);
  const names = new TextDecoder().decode(stdout).split('\n');
  const found = names.find((name) => above.includes(name) || name.startsWith(`refs/heads/${branch}/`));
  return found?.slice('refs/heads/'.length) ?? null;
}

/** All of a capture as git stores it. One by an earlier version may have files to leave out. */
async function storedWithout(tree: string, leaveOut: readonly string[], call: GitCall): Promise<string> {
  const entries = await treeEntries(tree, call);
  const stored = await storedEntries(entries, null, call);
  const steps = [...entries].flatMap(([name, now]) => {
    const next = isUnder(leaveOut, name) ? null : (stored.get(name) ?? null);
    return sameEntry(next, now) ? [] : [{ path: name, name, now, next, isMerged: false }];
  });
  return steps.length === 0 ? tree : withMergedTree(tree, steps, call, async ({ hash }) => hash);
}

/**
 * Whether git can tell the name from everything else that it could mean. Beside a branch `HEAD`, every command of git
 * warns; `@` means HEAD; `@{-1}` is expanded to the branch before, and so is no name itself.
 */
async function isBranchName(branch: string, call: GitCall): Promise<boolean> {
  if (branch === '@') return false;
  const { exitCode, stdout } = await askGit(['check-ref-format', '--branch', branch], call);
  return exitCode === 0 && new TextDecoder().decode(stdout) === `${branch}\n`;
}
