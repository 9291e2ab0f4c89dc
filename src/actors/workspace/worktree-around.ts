import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { RepositoryOf } from './git.ts';
import { worktreeFacts } from './git-worktree.ts';
import { mainRootOf, placeAround, type WorktreePlace } from '../worktree-place.ts';
import { readRecord, type WorktreeRecord } from './worktree-record.ts';

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
  const gitDirectory = await keeperOf(place, record);
  return { repository: { gitDirectory, worktree: place.top }, index: place.index, leaveOut: record.leaveOut };
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
