import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { earliestFileTime } from '../git/workspace-path.ts';
import type { LeftOut } from '../../machines/events.ts';
import type { LegsSubject } from './legs-subject.ts';

interface Subject extends Pick<LegsSubject, 'provided' | 'since'> {
  readonly origin: Pick<LegsSubject['origin'], 'root'>;
}

/**
 * What of the paths that a capture lacks was written since the run began: its checks can miss it. Not what they are
 * provided with.
 */
export async function uncapturedSince(
  leftOut: readonly LeftOut[],
  { origin: { root }, provided, since }: Subject,
): Promise<readonly LeftOut[]> {
  if (leftOut.length === 0 || since === null) return leftOut;
  const from = await earliestFileTime(since.getTime(), { directory: root });
  const isProvided = new Set(provided.files.map(({ path }) => path));
  const stats = await Promise.all(leftOut.map(({ path }) => lstat(join(root, path)).catch(() => null)));
  return leftOut.filter(({ path }, at) => !isProvided.has(path) && (stats[at]?.ctimeMs ?? -Infinity) >= from);
}
