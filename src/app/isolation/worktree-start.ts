import type { LeftOut } from '../../../machines/events.ts';
import { capture } from '../../git/capture/capture.ts';
import type { BeginningTrees } from '../../git/worktree/checkout-tree.ts';
import { headTrees } from '../../git/worktree/head-trees.ts';
import type { OriginRepository } from '../../git/worktree/origin-repository.ts';
import { keepHead, keepRunLog, keepStart } from '../../git/run-refs.ts';
import { storedTree } from '../../git/worktree/tree-of-store.ts';

interface Beginning {
  readonly run: string;
  /** The log that will have the run. */
  readonly store: string;
  /** More of the loop's own files, from the root. */
  readonly leaveOut: readonly string[];
  /** Larger files that git does not track are left out: bytes. Absent: the usual limit. */
  readonly captureLimit: number | undefined;
}

/** What a worktree begins with. */
export interface Begun {
  readonly trees: BeginningTrees;
  /** What could not be read for it, for people; empty where git read all. */
  readonly unread: string;
  /** What else of the folder it lacks. */
  readonly leftOut: readonly LeftOut[];
}

/** The folder as it is, with everything that is not committed. It is captured as the start of the run. */
export async function beginWithFiles(of: Beginning, origin: OriginRepository): Promise<Begun> {
  const { signal } = new AbortController();
  const { hash, unread, leftOut } = await capture(origin, { ...of, number: 0, listsChanges: false }, signal);
  if (origin.head) await keepHead(of.run, { directory: origin.root, signal }, origin.head.commit);
  return { trees: { files: hash, committed: await storedTree(hash, origin, of.leaveOut) }, unread, leftOut };
}

/** The files of the commit that is checked out. Their tree is kept as the start of the run. */
export async function beginWithCommit(
  { run, store, leaveOut }: Beginning,
  origin: OriginRepository,
  { commit, tree }: NonNullable<OriginRepository['head']>,
): Promise<Begun> {
  const call = { directory: origin.root };
  // First, as in every capture: `gc` asks this log about what a killed process leaves.
  await keepRunLog(run, store, call);
  await keepHead(run, call, commit);
  const trees = await headTrees({ run, tree, leaveOut }, origin);
  await keepStart(run, trees.files, call);
  return { trees, unread: '', leftOut: [] };
}

/** A tree that it is likely to resemble: the commit's, where git has all of it, and the folder is to have it all. */
export const likelyTree = ({ head, settings }: OriginRepository): string | null =>
  settings.isSparse || settings.partialClone !== null ? null : (head?.tree ?? null);
