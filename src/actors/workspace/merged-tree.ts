import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeTemporaryFolder } from '../../log/place-fault.ts';
import type { Step } from './bring-plan.ts';
import { git, type GitCall, gitLine } from './git.ts';

/** Calls `work` with an index of its own that holds a tree after some steps, and with the hash of that tree. */
export async function withMergedTree<Result>(
  tree: string,
  steps: readonly Step[],
  call: GitCall,
  work: (merged: { readonly hash: string; readonly index: string }) => Promise<Result>,
): Promise<Result> {
  const folder = await makeTemporaryFolder('loopfold-index-');
  try {
    const index = join(folder, 'index');
    const own = { ...call, index };
    await git(['read-tree', '--no-sparse-checkout', tree], own);
    // First the removals: a folder may take the place of a file, and a file that of a folder.
    const ordered = steps.toSorted((one, other) => Number(one.next !== null) - Number(other.next !== null));
    const lines = ordered.map(({ name, now, next }) => `${next?.mode ?? '0'} ${(next ?? now)?.hash}\t${name}\0`);
    await git(['update-index', '-z', '--index-info'], { ...own, input: Buffer.from(lines.join(''), 'latin1') });
    return await work({ hash: await gitLine(['write-tree'], own), index });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
