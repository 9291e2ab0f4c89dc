import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeTemporaryFolder } from '../../log/temporary-folders.ts';
import { askGit, git, type GitCall, GitError, gitLine } from '../process/git.ts';
import { inputOf } from '../process/git-names.ts';
import { isFile, isRepository, sameEntry, type TreeEntry } from '../../evidence/tree-entry.ts';

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
  const folder = await makeTemporaryFolder('merge');
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

/** The way in which git is told to merge a path, by its attribute `merge`. */
export type MergeDriver =
  | { readonly kind: 'text' | 'union' | 'binary' }
  /** Another one is a command of the user's configuration. */
  | { readonly kind: 'command'; readonly name: string };

/** The driver of a path in the worktree as it is. `name`: as in `TreeChange`. */
async function mergeDriver(name: string, call: GitCall): Promise<MergeDriver> {
  const said = await git(['check-attr', '-z', '--stdin', 'merge'], { ...call, input: inputOf([name]) });
  const [, , value = ''] = Buffer.from(said).toString().split('\0');
  switch (value) {
    case '':
    case 'unspecified':
    case 'set':
    case 'text':
      return { kind: 'text' };
    case 'union':
      return { kind: 'union' };
    case 'unset':
    case 'binary':
      return { kind: 'binary' };
    default:
      return { kind: 'command', name: value };
  }
}

/** One path in three trees: the change leads from `from` to `to`, and `now` is what is there. */
export interface ThreeWay {
  readonly from: TreeEntry | null;
  readonly to: TreeEntry | null;
  readonly now: TreeEntry | null;
}

/**
 * What the change does to a path: `take` what it leads to, nothing where that is `done`, `merge` where the file has
 * changed since, or a `conflict`, where two different things were done to it that are not both text.
 */
export function threeWay({ from, to, now }: ThreeWay): 'take' | 'done' | 'merge' | 'conflict' {
  if (sameEntry(now, to)) return 'done';
  // Files of a repository within are its own: only its commit is known.
  if ([from, to, now].some(isRepository)) return 'conflict';
  if (sameEntry(now, from)) return 'take';
  return [from, to, now].every(isFile) ? 'merge' : 'conflict';
}

/** The mode of a merged file: of two that differ from the third, both are the same. */
export const mergedMode = ({ from, to, now }: { readonly [one in keyof ThreeWay]: TreeEntry }): string =>
  to.mode === from.mode ? now.mode : to.mode;
