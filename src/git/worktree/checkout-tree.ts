import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { attributesOf, checkoutCall, checkOutRest } from './early-checkout.ts';
import { git, type GitCall } from '../process/git.ts';
import { inputOf } from '../process/git-names.ts';
import { copyIndexFile } from './tree-of-store.ts';
import { copyIfThere } from './own-repository.ts';
import type { OriginRepository } from './origin-repository.ts';
import { RAW_ATTRIBUTES } from '../capture/raw-repository.ts';
import { fillSubmodules, submodulesOf } from './submodule-files.ts';
import { treeEntries } from '../tree-change.ts';
import { sameEntry } from '../../evidence/tree-entry.ts';

/** What a worktree begins with. */
export interface BeginningTrees {
  /** The bytes of its files. */
  readonly files: string;
  /** The same as the user's git stores them: line ends and filters applied. */
  readonly committed: string;
}

/**
 * Writes the files of a worktree byte for byte, so that no filter runs. Its git finds nothing changed: where it stores
 * something else than the bytes, its index has that. `index`: the place of another one, which has the bytes. `early`:
 * the tree whose files are there already. Null: there are none. Submodules get the files that the origin has of them.
 */
export async function checkOutFiles(
  top: string,
  { files, committed }: BeginningTrees,
  origin: Pick<OriginRepository, 'common' | 'root'>,
  index: string,
  early: string | null,
): Promise<void> {
  const call = checkoutCall(top);
  const attributes = attributesOf(top);
  await writeFile(attributes, RAW_ATTRIBUTES);
  if (early === null) await git(['read-tree', '--reset', '-u', files], call);
  else await checkOutRest(top, early, files);
  await rm(attributes);
  await copyIfThere(join(origin.common, 'info/attributes'), attributes);
  await copyIndexFile(join(top, '.git/index'), index);
  if (committed !== files) await putStored(files, committed, call);
  await fillSubmodules({ from: origin.root, to: top, entries: await submodulesOf(top) });
}

/** Such files are read when git is asked for what has changed; then it knows them. */
async function putStored(files: string, committed: string, call: GitCall): Promise<void> {
  const [bytes, stored] = await Promise.all([treeEntries(files, call), treeEntries(committed, call)]);
  const lines = [...stored]
    .filter(([name, entry]) => !sameEntry(entry, bytes.get(name) ?? null))
    .map(([name, { mode, hash }]) => `${mode} ${hash}\t${name}`);
  await git(['update-index', '-z', '--index-info'], { ...call, input: inputOf(lines) });
}
