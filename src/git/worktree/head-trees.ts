import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeTemporaryFolder } from '../../log/temporary-folders.ts';
import { ownPathspecs } from '../../text/own-files.ts';
import { capture } from '../capture/capture.ts';
import type { BeginningTrees } from './checkout-tree.ts';
import { checkoutWorkers } from './early-checkout.ts';
import { git, type GitCall, GitError, gitLine } from '../process/git.ts';
import type { OriginRepository } from './origin-repository.ts';
import { mayConvert } from './tree-of-store.ts';
import { treeEntries } from '../tree-change.ts';

interface Committed {
  readonly run: string;
  /** The tree of the commit. */
  readonly tree: string;
  /** More of the loop's own files, from the root: no worktree begins with them. */
  readonly leaveOut: readonly string[];
}

/**
 * What a worktree begins with that has the files of a commit, and nothing that is not committed. Its files are those
 * that the user's git checks out, so filters and line ends apply: before an agent of the run works, and only where
 * attributes or settings can make a difference. Throws a `GitError`.
 */
export async function headTrees(committed: Committed, origin: OriginRepository): Promise<BeginningTrees> {
  // `gc` knows such folders by their name.
  const folder = await makeTemporaryFolder('index');
  try {
    const index = join(folder, 'index');
    const tree = await withoutOwn(committed, { directory: origin.root, index });
    const files = await treeEntries(tree, { directory: origin.root });
    if (!mayConvert(origin, files.keys())) return { files: tree, committed: tree };
    return { files: await checkedOut(join(folder, 'files'), index, { ...committed, tree }, origin), committed: tree };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const FORGET = ['rm', '-r', '--force', '--quiet', '--cached', '--sparse', '--ignore-unmatch'];

/** Captures leave these out: a tree that has them would make each run seem to remove them. */
async function withoutOwn({ tree, leaveOut }: Committed, call: GitCall): Promise<string> {
  await git(['read-tree', '--no-sparse-checkout', tree], call);
  await git([...FORGET, '--', ...ownPathspecs(leaveOut)], call);
  return gitLine(['write-tree', '--missing-ok'], call);
}

/** The bytes that the user's git writes for a tree, in a folder that is removed again. */
async function checkedOut(
  worktree: string,
  index: string,
  { run, tree, leaveOut }: Committed,
  origin: OriginRepository,
): Promise<string> {
  await mkdir(worktree);
  // Of a linked worktree the one with its own settings, beside its index.
  const repository = { gitDirectory: dirname(origin.index), worktree };
  const settings = [`core.sparseCheckout=${origin.settings.isSparse}`, checkoutWorkers()];
  const call: GitCall = { directory: worktree, repository, index, settings, mayFetch: true };
  await git(['read-tree', '--reset', '-u', tree], call);
  const { objects, objectFormat } = origin;
  const written = { root: worktree, index, objects, objectFormat, repository };
  const asked = { run, number: null, leaveOut, listsChanges: false };
  const { hash, unread } = await capture(written, asked, new AbortController().signal);
  if (unread !== '') throw new GitError('git_failed', 'add', unread);
  return hash;
}
