import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeTemporaryFolder } from '../../log/place-fault.ts';
import { git } from './git.ts';
import { type KeptIndex, removeIndex } from './kept-index.ts';
import { linksOf } from './nested-repositories.ts';
import { skipAsOwn } from './own-index.ts';
import type { ContentCall } from './raw-repository.ts';
import { rulesFile, rulesOf } from './rules-of-start.ts';
import { runRef } from './run-refs.ts';
import { treeEntries } from './tree-change.ts';

interface Beginning {
  readonly run: string;
  /** The worktree's own index. */
  readonly index: string;
  /** More of the loop's own files, from the root. */
  readonly leaveOut: readonly string[];
}

/**
 * An index with exactly what the run began with: what has been tracked or forgotten since makes no difference. It says
 * of no file that it is as it was: each is read. Null where git does not keep how the run began.
 */
export async function beginIndex({ run, index: own, leaveOut }: Beginning, of: ContentCall): Promise<KeptIndex | null> {
  const start = runRef(run, 0);
  const [rules, entries] = await Promise.all([rulesOf(run, of), treeEntries(start, of).catch(() => null)]);
  if (!rules || !entries) return null;
  const folder = await makeTemporaryFolder('loopfold-index-');
  const index = join(folder, 'index');
  const call = { ...of, index };
  const begun: KeptIndex = {
    folder,
    index,
    rules: join(folder, 'rules'),
    seen: null,
    links: linksOf(entries),
    isSparse: false,
    readFrom: null,
    last: null,
  };
  try {
    await git(['read-tree', '--no-sparse-checkout', start], call);
    const isSparse = await skipAsOwn(own, (name) => entries.has(name), call);
    await writeFile(begun.rules, rulesFile(rules, leaveOut), 'latin1');
    return { ...begun, isSparse };
  } catch (error) {
    await removeIndex(begun);
    throw error;
  }
}
