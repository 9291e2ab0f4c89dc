import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { RepositoryOf } from '../process/git.ts';
import { worktreeFacts } from '../git-worktree.ts';
import { isThere, mainRootOf, placeAround, type WorktreePlace } from './worktree-place.ts';
import { readRecord, type WorktreeRecord } from './worktree-record.ts';

export interface WorktreeAround {
  /** Keeps the captures: that of the origin. What a run does with the repository in its worktree changes none. */
  readonly repository: RepositoryOf;
  readonly index: string;
  /** Paths that no capture has, from the top. */
  readonly leaveOut: readonly string[];
  /** The folder that it was made from. */
  readonly origin: string;
}

/** The record of a worktree is gone, so that it is not known which repository keeps its captures. */
class LostRecordError extends Error {
  override readonly name = 'LostRecordError';
  readonly top: string;

  constructor({ top, record }: WorktreePlace) {
    super(`${top} is the worktree of a run, and its record ${record} is not there any more`);
    this.top = top;
  }
}

/**
 * The worktree of a run that a folder lies in, by its record. Null elsewhere. Throws a `LostRecordError`, or an
 * `UnreadableRecordError`, where it has none: the repository in it is removed with it, and keeps nothing.
 */
export async function worktreeAround(directory: string): Promise<WorktreeAround | null> {
  const place = placeAround(realOf(directory));
  if (!place) return null;
  const record = await readRecord(place);
  if (!record) {
    if (await isThere(place.top)) throw new LostRecordError(place);
    return null;
  }
  const gitDirectory = await keeperOf(place, record);
  const { leaveOut, origin } = record;
  return { repository: { gitDirectory, worktree: place.top }, index: place.index, leaveOut, origin };
}

/** Synchronous: each capture asks, and a thread of the pool takes more CPU. */
function realOf(directory: string): string {
  try {
    return realpathSync.native(directory);
  } catch {
    return directory;
  }
}

/**
 * The git directory that keeps the captures of a worktree: that of the project it lies in. A project that was moved or
 * copied still has the path of the first one in the record.
 */
export async function keeperOf(place: WorktreePlace, { repository }: WorktreeRecord): Promise<string> {
  const mainRoot = mainRootOf(place);
  if (repository === join(mainRoot, '.git')) return repository;
  const [common = repository] = (await worktreeFacts(['--git-common-dir'], { directory: mainRoot }))?.slice(1) ?? [];
  return common;
}
