import { rename, rm } from 'node:fs/promises';
import { execa } from 'execa';
import { git } from '../process/git.ts';
import type { WorktreePlace } from './worktree-place.ts';
import { forgetOrigin } from './origin-copy.ts';
import { removeRecord } from './worktree-record.ts';
import { ownEnvironment } from '../../text/own-programs.ts';

const CHMOD_TIMEOUT_MS = 60_000;
/** Commands of a killed process may still write there for a moment. */
const RETRIES = { maxRetries: 5, retryDelay: 200 };

/**
 * Removes a worktree and what lies beside it; the record last, so that a crash leaves nothing without one. The folder
 * is renamed first: half of a worktree must never be taken for one.
 */
export async function removeWorktree(place: WorktreePlace): Promise<void> {
  await removeFolder(place.removed);
  await rename(place.top, place.removed).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  await removeFolder(place.removed);
  await Promise.all([place.index, place.manifest, `${place.record}.draft`].map((path) => rm(path, { force: true })));
  await forgetOrigin(place);
  await removeRecord(place);
}

/** Some package managers write-protect their folders. Files keep their mode: a hard link has that of the origin. */
async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, ...RETRIES }).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EACCES' && error.code !== 'EPERM') throw error;
    await execa('find', [folder, '-type', 'd', '-exec', 'chmod', 'u+rwx', '{}', '+'], {
      env: ownEnvironment(),
      extendEnv: false,
      reject: false,
      timeout: CHMOD_TIMEOUT_MS,
    });
    await rm(folder, { recursive: true, force: true, ...RETRIES });
  });
}

/** What a repository keeps of runs: one entry for each ref. */
export async function allRunRefs(
  repository: string,
): Promise<readonly { readonly run: string; readonly ref: string }[]> {
  const listed = await git(['for-each-ref', '--format=%(refname)', 'refs/loopfold/'], { directory: repository });
  const refs = new TextDecoder().decode(listed).split('\n');
  return refs.flatMap((ref) => {
    const run = /^refs\/loopfold\/([^/]+)\//.exec(ref)?.[1];
    return run === undefined ? [] : [{ run, ref }];
  });
}

/**
 * Has git keep its refs in one file, as its own `gc` does. A run has about six: thousands of small files make each
 * question for all refs, which `git fetch` asks, several times as long. Branches and tags stay what they are.
 */
export async function packRefs(repository: string): Promise<void> {
  await git(['pack-refs', '--all'], { directory: repository });
}

/** Removes what a repository keeps of runs: their captures. */
export async function forgetRuns(runs: readonly string[], repository: string): Promise<void> {
  const gone = new Set(runs);
  if (gone.size === 0) return;
  const refs = (await allRunRefs(repository)).filter(({ run }) => gone.has(run));
  await removeRefs(
    refs.map(({ ref }) => ref),
    repository,
  );
}

/** A transaction of git holds a lock for each ref, and what is removed stays removed where a later one is killed. */
const REFS_AT_ONCE = 1_000;

/** Removes refs, also where some are gone already. */
export async function removeRefs(refs: readonly string[], repository: string): Promise<void> {
  for (let from = 0; from < refs.length; from += REFS_AT_ONCE) {
    const lines = refs.slice(from, from + REFS_AT_ONCE).map((ref) => `delete ${ref}\n`);
    await git(['update-ref', '--stdin'], { directory: repository, input: new TextEncoder().encode(lines.join('')) });
  }
}

const BLOCK_BYTES = 512;
const MEASURE_TIMEOUT_MS = 120_000;

/** The space of a folder's files that share it with none elsewhere. Null where this system has no GNU `find`. */
export async function ownBytes(folder: string): Promise<number | null> {
  const { exitCode, stdout } = await execa('find', [folder, '-links', '1', '-printf', '%b\\n'], {
    env: ownEnvironment(),
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
    timeout: MEASURE_TIMEOUT_MS,
  });
  if (exitCode !== 0) return null;
  return stdout.split('\n').reduce((sum, blocks) => sum + Number(blocks) * BLOCK_BYTES, 0);
}
