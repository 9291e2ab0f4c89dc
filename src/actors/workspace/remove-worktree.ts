import { rm } from 'node:fs/promises';
import { execa } from 'execa';
import { git } from './git.ts';
import type { WorktreePlace } from './worktree-place.ts';
import { removeRecord } from './worktree-record.ts';

const CHMOD_TIMEOUT_MS = 60_000;

/** Removes a worktree and what lies beside it; the record last, so that a crash leaves nothing without one. */
export async function removeWorktree(place: WorktreePlace): Promise<void> {
  await removeFolder(place.top);
  await Promise.all([place.index, place.manifest, `${place.record}.draft`].map((path) => rm(path, { force: true })));
  await removeRecord(place);
}

/** Some package managers write-protect their folders. Files keep their mode: a hard link has that of the origin. */
async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true }).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EACCES' && error.code !== 'EPERM') throw error;
    await execa('find', [folder, '-type', 'd', '-exec', 'chmod', 'u+rwx', '{}', '+'], {
      reject: false,
      timeout: CHMOD_TIMEOUT_MS,
    });
    await rm(folder, { recursive: true, force: true });
  });
}

/** Removes what a repository keeps of runs: their captures. Returns how many refs that were. */
export async function forgetRuns(runs: readonly string[], repository: string): Promise<number> {
  if (runs.length === 0) return 0;
  const call = { directory: repository };
  const prefixes = runs.map((run) => `refs/loopfold/${run}/`);
  const listed = new TextDecoder().decode(await git(['for-each-ref', '--format=%(refname)', 'refs/loopfold/'], call));
  const refs = listed.split('\n').filter((ref) => prefixes.some((prefix) => ref.startsWith(prefix)));
  const input = new TextEncoder().encode(refs.map((ref) => `delete ${ref}\n`).join(''));
  if (refs.length > 0) await git(['update-ref', '--stdin'], { ...call, input });
  return refs.length;
}
