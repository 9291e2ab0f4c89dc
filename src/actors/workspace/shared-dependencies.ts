import { readFile } from 'node:fs/promises';
import type { Isolation } from '../../../machines/settings.ts';
import { changedFilesOf, manifestIn, manifestOf } from './dependency-manifest.ts';
import { gitLine } from './git.ts';
import { placeAt } from '../worktree-place.ts';

/**
 * Files of the origin's dependencies that have changed since a worktree shares them, from the top of the worktree. A
 * copy on write shares none.
 */
export async function changedDependencies({ top, origin, dependencies }: Isolation): Promise<readonly string[]> {
  const shared = dependencies.flatMap(({ path, by }) => (by === 'hard-links' || by === 'link' ? [{ path, by }] : []));
  if (shared.length === 0) return [];
  const before = manifestIn(await readFile(placeAt(top).manifest, 'utf8').catch(() => ''));
  // Without the list nothing can be said: the worktree was removed, or is not made completely.
  if (before === null) return [];
  const root = await gitLine(['rev-parse', '--show-toplevel'], { directory: origin }).catch(() => null);
  // The folder that was shared is gone: nothing of it can have been spoiled.
  if (root === null) return [];
  const found = await Promise.all(
    shared.map(async ({ path, by }) => {
      const was = new Map([...before].filter(([file]) => file.startsWith(`${path}/`)));
      const now = await manifestOf(root, path);
      return now === null ? [] : changedFilesOf(was, now, by);
    }),
  );
  return found.flat();
}
