import { lstat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { OWN_FOLDER } from '../../log/own-folder.ts';

const WORKTREES = 'worktrees';

/** Where a worktree of a run lies, and what lies beside it. All paths are absolute. */
export interface WorktreePlace {
  /** The top folder of the worktree. */
  readonly top: string;
  readonly record: string;
  /** The index of its first checkout. Captures start from it: the run's own git may write to the other one. */
  readonly index: string;
  /** The files of the dependencies that it shares with the origin, as they were. */
  readonly manifest: string;
  /** What was around the worktree before anything worked in it. */
  readonly origin: string;
  /** The worktree while it is removed: what is called `top` is whole. */
  readonly removed: string;
}

/** The folder that keeps the worktrees of a repository, and their records. */
export const worktreesIn = (mainRoot: string): string => join(mainRoot, OWN_FOLDER, WORKTREES);

/** The folder of the loop's own files that a folder of worktrees lies in. */
export const ownFolderOf = (worktrees: string): string => dirname(worktrees);

/** The top folder of the main worktree that a worktree of a run lies in. */
export const mainRootOf = ({ top }: Pick<WorktreePlace, 'top'>): string => dirname(ownFolderOf(dirname(top)));

export const placeAt = (top: string): WorktreePlace => ({
  top,
  record: `${top}.json`,
  index: `${top}.index`,
  manifest: `${top}.dependencies`,
  origin: `${top}.origin`,
  removed: `${top}.removed`,
});

const INSIDE = new RegExp(`^(.*/\\${OWN_FOLDER}/${WORKTREES}/[^/]+)(?:/|$)`);

/** The place of the worktree that a folder would lie in, if it lies in one. */
export function placeAround(directory: string): WorktreePlace | null {
  const [, top] = INSIDE.exec(directory) ?? [];
  return top === undefined ? null : placeAt(top);
}

/** Whether the worktree is there. A run may do with the repository in it what it wants. */
export const isThere = (top: string): Promise<boolean> =>
  lstat(top).then(
    (found) => found.isDirectory(),
    () => false,
  );
