import { realpath } from 'node:fs/promises';
import type { RepositoryOf } from './git.ts';
import { placeAround } from './worktree-place.ts';
import { readRecord } from './worktree-record.ts';

export interface WorktreeAround {
  /** Keeps the captures: that of the origin. What a run does with the repository in its worktree changes none. */
  readonly repository: RepositoryOf;
  readonly index: string;
  /** Paths that no capture has, from the top. */
  readonly leaveOut: readonly string[];
}

/** The worktree of a run that a folder lies in, by its record. Null elsewhere. */
export async function worktreeAround(directory: string): Promise<WorktreeAround | null> {
  const place = placeAround(await realpath(directory).catch(() => directory));
  const record = place && (await readRecord(place));
  if (!place || !record) return null;
  const { repository, leaveOut } = record;
  return { repository: { gitDirectory: repository, worktree: place.top }, index: place.index, leaveOut };
}
