import { sep } from 'node:path';
import { placeAround } from '../../git/worktree/worktree-place.ts';

/**
 * Whether what is written in one folder can change the other: the same folder, one inside, or one around it. A run's
 * own worktree overlaps only with folders in the same worktree. Both paths are absolute and real.
 */
export const overlaps = (one: string, other: string): boolean =>
  worktreeOf(one) === worktreeOf(other) && (isWithin(one, other) || isWithin(other, one));

/** A worktree of a run lies inside the folder that it was made from, and is no part of it. */
const worktreeOf = (path: string): string | null => placeAround(path)?.top ?? null;

const isWithin = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
