import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeTemporaryFolder } from '../../log/place-fault.ts';
import { askGit, git, type GitCall, GitError, gitLine } from './git.ts';
import { mergeDriver } from './merge-driver.ts';

export interface BlobsToMerge {
  /** Of the path that has them, as in `TreeChange`. */
  readonly name: string;
  readonly from: string;
  readonly to: string;
  readonly now: string;
}

/** Git's exit codes: 0 without a conflict, then the number of conflicts, 255 for a file that is not text. */
const GIT_FAILED = 128;
const NOT_TEXT = 255;

/** Larger files are not merged: the result may be as long as two of them, which has to fit into what git may print. */
const MAX_MERGED_BYTES = 16 * 1024 * 1024;

export type MergedBlob =
  | { readonly kind: 'merged'; readonly hash: string }
  /** Both changed the same lines, or it is not text. */
  | { readonly kind: 'conflict' }
  | { readonly kind: 'too_large' }
  /** Its driver is no part of git. */
  | { readonly kind: 'needs_command'; readonly driver: string };

/** `now` with the change from `from` to `to` in it, as the path's attribute `merge` says. No command of it runs. */
export async function mergeBlobs({ name, from, to, now }: BlobsToMerge, call: GitCall): Promise<MergedBlob> {
  if (from === to) return { kind: 'merged', hash: now };
  if (now === from || now === to) return { kind: 'merged', hash: to };
  const driver = await mergeDriver(name, call);
  if (driver.kind === 'binary') return { kind: 'conflict' };
  if (driver.kind === 'command') return { kind: 'needs_command', driver: driver.name };
  if ((await largest([from, to, now], call)) > MAX_MERGED_BYTES) return { kind: 'too_large' };
  const folder = await makeTemporaryFolder('loopfold-merge-');
  try {
    const files = await Promise.all(
      [now, from, to].map(async (hash, index) => {
        const file = join(folder, String(index));
        await writeFile(file, await git(['cat-file', 'blob', hash], call));
        return file;
      }),
    );
    const how = driver.kind === 'union' ? ['--union'] : [];
    const { exitCode, stdout, stderr } = await askGit(['merge-file', '-p', '--quiet', ...how, ...files], call);
    if (exitCode >= GIT_FAILED && exitCode !== NOT_TEXT) throw new GitError('git_failed', 'merge-file', stderr);
    if (exitCode !== 0) return { kind: 'conflict' };
    return { kind: 'merged', hash: await gitLine(['hash-object', '-w', '--stdin'], { ...call, input: stdout }) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function largest(hashes: readonly string[], call: GitCall): Promise<number> {
  const input = new TextEncoder().encode(hashes.map((hash) => `${hash}\n`).join(''));
  const said = await git(['cat-file', '--batch-check=%(objectsize)'], { ...call, input });
  return Math.max(...new TextDecoder().decode(said).trim().split('\n').map(Number));
}
