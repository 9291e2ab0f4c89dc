import { formatOf } from './object-hash.ts';
import { folderHash, type FolderObject, foldersOfTree, type TreeFolder, withFiles } from './tree-folders.ts';
import type { TreeEntries } from './tree-change.ts';
import { sameEntry, type TreeEntry } from '../evidence/tree-entry.ts';

/** The name of the tree that has these entries, and no folder without any. */
export const treeHash = (entries: TreeEntries, format: string): string => folderHash(foldersOfTree(entries), format);

interface KnownTree {
  readonly entries: TreeEntries;
  readonly top: TreeFolder;
}

/** Every attempt of a run is compared with one base, and what is compared is checked out next. */
const MAX_KNOWN = 6;
const known = new Map<string, KnownTree>();

/** The entries of a tree that was hashed not long ago. */
export const knownTree = (tree: string): TreeEntries | undefined => known.get(tree)?.entries;

function remember(tree: string, found: KnownTree): void {
  known.delete(tree);
  known.set(tree, found);
  const [oldest = tree] = known.size > MAX_KNOWN ? known.keys() : [];
  if (oldest !== tree) known.delete(oldest);
}

/** Whether a tree of this name has these entries. */
export function isTree(tree: string, entries: TreeEntries): boolean {
  const before = known.get(tree);
  if (before) {
    remember(tree, before);
    return areEqual(before.entries, entries);
  }
  const top = foldersOfTree(entries);
  if (folderHash(top, formatOf(tree)) !== tree) return false;
  remember(tree, { entries, top });
  return true;
}

/** A tree that was made of another one. */
export interface ChangedTree {
  readonly tree: string;
  readonly entries: TreeEntries;
  /** Its folders that the other one does not have, inner ones first. */
  readonly folders: readonly FolderObject[];
}

/**
 * A tree of which some files are others than in one that was hashed not long ago, or are not there, which is null. Only
 * the folders on the way to them are hashed. Null: that one is not known.
 */
export function changedTree(from: string, changes: ReadonlyMap<string, TreeEntry | null>): ChangedTree | null {
  const before = known.get(from);
  if (!before) return null;
  remember(from, before);
  const folders: FolderObject[] = [];
  const top = withFiles(before.top, changes);
  const tree = folderHash(top, formatOf(from), (object) => folders.push(object));
  const found = known.get(tree) ?? { entries: changedEntries(before.entries, changes), top };
  remember(tree, found);
  return { tree, entries: found.entries, folders };
}

/** In the order of their names, as git lists them. */
function changedEntries(before: TreeEntries, changes: ReadonlyMap<string, TreeEntry | null>): TreeEntries {
  const added = [...changes].filter(([name, entry]) => entry !== null && !before.has(name));
  const kept = [...before].flatMap(([name, entry]): [string, TreeEntry][] => {
    const changed = changes.get(name);
    return changed === null ? [] : [[name, changed ?? entry]];
  });
  const all = [...kept, ...(added as [string, TreeEntry][])];
  return new Map(added.length === 0 ? all : all.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

function areEqual(one: TreeEntries, other: TreeEntries): boolean {
  if (one === other) return true;
  if (one.size !== other.size) return false;
  for (const [name, entry] of one) if (!sameEntry(entry, other.get(name))) return false;
  return true;
}
