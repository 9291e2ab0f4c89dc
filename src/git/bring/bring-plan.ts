import { git, type GitCall, gitLine } from '../process/git.ts';
import { mergeBlobs, mergedMode, threeWay } from './merge-blobs.ts';
import type { TreeChange } from '../tree-change.ts';
import { isRepository, sameEntry, type TreeEntry } from '../../evidence/tree-entry.ts';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeTemporaryFolder } from '../../log/temporary-folders.ts';

/** What has to be done to one path. */
export interface Step {
  readonly path: string;
  /** As in `TreeChange`. */
  readonly name: string;
  /** What is there now; null: nothing. */
  readonly now: TreeEntry | null;
  /** What will be there; null: nothing. */
  readonly next: TreeEntry | null;
  /** Beside the change, something else in the file is different: both are kept. */
  readonly isMerged: boolean;
}

/** A path that stays as it is although the change has another content for it, and why. */
export interface Kept {
  readonly path: string;
  readonly name: string;
  readonly because: string;
  /** The repository of its own that it lies in: its folder, as in `TreeChange.name`. */
  readonly within?: string;
}

export interface BringPlan {
  readonly steps: readonly Step[];
  readonly kept: readonly Kept[];
  /** Paths that an earlier call has brought, and that have changed since. */
  readonly since: readonly string[];
}

/** What is known of the change beside its trees. */
export interface Known {
  /** Every path of the tree into which the change is brought. */
  readonly now: ReadonlyMap<string, TreeEntry>;
  /** Paths that are done although they look different: what an earlier call has left there, or a person since. */
  readonly isDone?: (name: string, now: TreeEntry | null) => boolean;
  /** Takes the change's content where it cannot be merged. */
  readonly force?: boolean;
}

/**
 * What it takes to bring a change into a tree, path by path. `changes` lead from one tree to another; what is
 * different besides, in the tree they are brought into, stays.
 */
export async function bringPlan(changes: readonly TreeChange[], known: Known, call: GitCall): Promise<BringPlan> {
  const steps: Step[] = [];
  const kept: Kept[] = [];
  const since: string[] = [];
  for (const change of changes) {
    const now = known.now.get(change.name) ?? null;
    const next = await nextOf(change, now, known, call);
    if (next === 'since') since.push(change.path);
    else if (next !== null && 'because' in next) {
      kept.push({ path: change.path, name: change.name, because: next.because ?? reasonOf(change, now) });
    } else if (!sameEntry(next, now)) {
      const isMerged = next !== null && !sameEntry(next, change.after);
      steps.push({ path: change.path, name: change.name, now, next, isMerged });
    }
  }
  return { steps, kept, since };
}

/** It stays as it is. Null: what differs is the reason. */
interface Left {
  readonly because: string | null;
}

const TOO_LARGE = 'it was changed since, and is too large to be merged';
const needsCommand = (driver: string) =>
  `it was changed since, and its merge driver ${driver} is a command: none is run`;

async function nextOf(
  { before: from, after: to, name }: TreeChange,
  now: TreeEntry | null,
  { isDone, force = false }: Known,
  call: GitCall,
): Promise<TreeEntry | null | Left | 'since'> {
  const verdict = threeWay({ from, to, now });
  if (verdict === 'done') return now;
  if (verdict === 'take') return to;
  if (isDone?.(name, now)) return 'since';
  if (verdict === 'merge' && from && to && now) {
    const merged = await mergeBlobs({ name, from: from.hash, to: to.hash, now: now.hash }, call);
    if (merged.kind === 'merged') return { mode: mergedMode({ from, to, now }), hash: merged.hash };
    if (merged.kind === 'too_large' && !force) return { because: TOO_LARGE };
    if (merged.kind === 'needs_command' && !force) return { because: needsCommand(merged.driver) };
  }
  return force && ![from, to, now].some(isRepository) ? to : { because: null };
}

/** What there is, not since when: a file may have been so before the run, too. */
function reasonOf({ before, after }: TreeChange, now: TreeEntry | null): string {
  if ([before, after, now].some(isRepository)) return 'it is a repository within, whose files are its own';
  if (now === null) return 'it is not there';
  if (after === null) return 'it has another content';
  return before === null ? 'another file is there' : 'the same lines have another content';
}

/** Calls `work` with an index of its own that holds a tree after some steps, and with the hash of that tree. */
export async function withMergedTree<Result>(
  tree: string,
  steps: readonly Step[],
  call: GitCall,
  work: (merged: { readonly hash: string; readonly index: string }) => Promise<Result>,
): Promise<Result> {
  const folder = await makeTemporaryFolder('index');
  try {
    const index = join(folder, 'index');
    const own = { ...call, index };
    await git(['read-tree', '--no-sparse-checkout', tree], own);
    // First the removals: a folder may take the place of a file, and a file that of a folder.
    const ordered = steps.toSorted((one, other) => Number(one.next !== null) - Number(other.next !== null));
    const lines = ordered.map(({ name, now, next }) => `${next?.mode ?? '0'} ${(next ?? now)?.hash}\t${name}\0`);
    await git(['update-index', '-z', '--index-info'], { ...own, input: Buffer.from(lines.join(''), 'latin1') });
    return await work({ hash: await gitLine(['write-tree'], own), index });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
