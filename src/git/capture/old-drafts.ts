import { lstat, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { isDraft } from '../../text/own-files.ts';
import { git } from '../process/git.ts';

/** An unfinished file that was not touched for so long has no process any more: a write takes at most minutes. */
export const ABANDONED_AFTER_MS = 600_000;

/** The folders that captures and changes keep outside the workspace while they are made. */
const TEMPORARY = /^loopfold-(index|files|merge)-/;

/**
 * Unfinished files that killed processes have left in a folder of a git worktree. Absolute. Without `andIgnored` not in
 * what git ignores, where much more is to be looked through. Throws a `GitError`.
 */
export async function abandonedDrafts(
  directory: string,
  { andIgnored }: { readonly andIgnored: boolean },
): Promise<readonly string[]> {
  const kinds = ['--others', ...(andIgnored ? [] : ['--exclude-standard'])];
  const listed = await git(['ls-files', ...kinds, '-z', '--', ':(glob)**/.loopfold-*.draft'], { directory });
  const names = Buffer.from(listed)
    .toString()
    .split('\0')
    .filter((name) => isDraft(basename(name)));
  return old(names.map((name) => join(directory, name)));
}

/** Folders that killed processes have left in the system's temporary folder. Absolute. */
export async function abandonedFolders(): Promise<readonly string[]> {
  const folder = tmpdir();
  const names = (await readdir(folder).catch(() => [])).filter((name) => TEMPORARY.test(name));
  return old(names.map((name) => join(folder, name)));
}

async function old(paths: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const path of paths) {
    const stats = await lstat(path).catch(() => null);
    // Of another user: it is not ours to remove.
    if (!stats || stats.uid !== process.getuid?.()) continue;
    if (Date.now() - stats.mtimeMs > ABANDONED_AFTER_MS) found.push(path);
  }
  return found;
}

/** Removes them as far as that can be done, and resolves with those that are gone. */
export async function removeAbandoned(paths: readonly string[]): Promise<readonly string[]> {
  const removed: string[] = [];
  for (const path of paths) {
    const isGone = await rm(path, { recursive: true, force: true }).then(
      () => true,
      () => false,
    );
    if (isGone) removed.push(path);
  }
  return removed;
}
