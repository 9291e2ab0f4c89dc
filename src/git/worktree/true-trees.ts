import { rm } from 'node:fs/promises';
import { git, type GitCall, GitError, gitLine } from '../process/git.ts';
import { FOLDER_MODE, type FolderObject } from '../tree-folders.ts';
import { changedEntries, type TreeEntries, treeEntries } from '../tree-change.ts';
import { changedTree, isTree, knownTree } from '../tree-hash.ts';
import type { TreeEntry } from '../../evidence/tree-entry.ts';
import { untrue } from './true-checkout.ts';

/**
 * Everything in a tree. `near`: another one that has most of it, so that only the differences are read where it is
 * known by now. Throws a `GitError` where it is not what its name says.
 */
export async function trueEntries(tree: string, call: GitCall, near?: string): Promise<TreeEntries> {
  const known = knownTree(tree) ?? (near === undefined ? null : await entriesBeside(near, tree, call));
  const entries = known ?? (await treeEntries(tree, call));
  if (!isTree(tree, entries)) throw untrue(tree, 'a tree');
  return entries;
}

/** Null: the other tree is not known, or git reads something else than the names say. */
async function entriesBeside(near: string, tree: string, call: GitCall): Promise<TreeEntries | null> {
  if (!knownTree(near)) return null;
  const changes = await changedEntries(near, tree, call).catch((error: unknown) => {
    if (error instanceof GitError && error.code === 'git_failed') return null;
    throw error;
  });
  const found = changes && changedTree(near, new Map([...changes].map(([name, { after }]) => [name, after])));
  return found?.tree === tree ? found.entries : null;
}

/** What a tree is to have at a path in place of what it has: another text of a file that is there. Null: nothing. */
export type Replaced = TreeEntry | { readonly text: string } | null;

/** Writes a tree that differs from another one at these paths. Throws a `GitError`. */
export async function writeChanged(
  from: string,
  changes: ReadonlyMap<string, Replaced>,
  call: GitCall,
): Promise<string> {
  const before = await trueEntries(from, call);
  const entries = new Map<string, TreeEntry | null>();
  for (const [name, one] of changes) {
    if (one === null || 'hash' in one) entries.set(name, one);
    else {
      const mode = before.get(name)?.mode;
      if (mode !== undefined) entries.set(name, { mode, hash: await written(one.text, call) });
    }
  }
  const changed = changedTree(from, entries);
  if (changed === null) throw new TypeError(`the tree ${from} is not known`);
  await writeFolders(changed.folders, call);
  return changed.tree;
}

const written = (text: string, call: GitCall): Promise<string> =>
  gitLine(['hash-object', '-w', '--stdin'], { ...call, input: Buffer.from(text) });

const MODE_DIGITS = 6;
/** The kinds of objects by their modes, as git has them. Everything else is a blob. */
const KINDS = new Map([
  [FOLDER_MODE, 'tree'],
  ['160000', 'commit'],
]);

/** Writes folders as objects, all by one process. */
async function writeFolders(folders: readonly FolderObject[], call: GitCall): Promise<void> {
  if (folders.length === 0) return;
  const lineOf = ({ mode, hash, name }: TreeEntry & { readonly name: string }) =>
    `${mode.padStart(MODE_DIGITS, '0')} ${KINDS.get(mode) ?? 'blob'} ${hash}\t${name}\0`;
  const records = folders.map(({ lines }) => lines.map(lineOf).join(''));
  await git(['mktree', '-z', '--missing', '--batch'], { ...call, input: Buffer.from(records.join('\0'), 'latin1') });
}

/** Writes a tree with these entries. */
export async function writeTree(entries: TreeEntries, call: GitCall): Promise<string> {
  const lines = [...entries].map(([name, { mode, hash }]) => `${mode} ${hash}\t${name}\0`);
  const planned = { ...call, index: `${call.index ?? ''}.planned` };
  await rm(planned.index, { force: true });
  await git(['update-index', '-z', '--index-info'], { ...planned, input: Buffer.from(lines.join(''), 'latin1') });
  return gitLine(['write-tree', '--missing-ok'], planned);
}
