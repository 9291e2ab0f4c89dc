import { readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { git, type GitCall, GitError } from '../process/git.ts';
import { RAW_ATTRIBUTES } from '../capture/raw-repository.ts';
import { availableParallelism } from 'node:os';

// To read the files of the origin takes about as long as to write most of them into the worktree, and uses one
// processor. So they are written from the commit meanwhile. Only what differs is written once the capture is there.

/** Has git write and read bytes in a worktree that is being made. */
export const attributesOf = (top: string): string => join(top, '.git/info/attributes');

export const checkoutCall = (top: string): GitCall => ({ directory: top, settings: [checkoutWorkers()] });

/**
 * Writes the files of a tree that the one to come is likely to resemble, into a folder that has only a new repository.
 * Returns the tree; null, with no file left, where git has not all of it.
 */
export async function checkOutEarly(top: string, tree: string): Promise<string | null> {
  await writeFile(attributesOf(top), RAW_ATTRIBUTES);
  try {
    await git(['read-tree', '--reset', '-u', tree], checkoutCall(top));
    return tree;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const left = (await readdir(top)).filter((name) => name !== '.git');
    await Promise.all(left.map((name) => rm(join(top, name), { recursive: true, force: true })));
    return null;
  }
}

/** Writes what differs from a tree that was checked out there by `checkOutEarly`. */
export async function checkOutRest(top: string, early: string, tree: string): Promise<void> {
  if (early === tree) return;
  const call = checkoutCall(top);
  await trustUntilNow(join(top, '.git/index'));
  try {
    await git(['read-tree', '-m', '-u', early, tree], call);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    await git(['read-tree', '--reset', '-u', tree], call);
  }
}

/**
 * Git would read again each file that was written in the second of its index, which is most of them. Only this process
 * has the folder yet. The index that git writes then has its own time.
 */
async function trustUntilNow(index: string): Promise<void> {
  const next = Math.floor((await stat(index)).mtimeMs / 1000) + 1;
  await utimes(index, next, next);
}

const isRefusal = (error: unknown): boolean => error instanceof GitError && error.code === 'git_failed';

/** Processes that write the files of one checkout. A file system gains little by more. */
const MAX_WORKERS = 8;

/** A setting of a call. Git itself takes one process, whatever the machine has; for a few files it stays with that. */
export const checkoutWorkers = (): string => `checkout.workers=${Math.min(availableParallelism(), MAX_WORKERS)}`;
