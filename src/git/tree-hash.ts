import { createHash } from 'node:crypto';
import type { TreeEntries } from './tree-change.ts';
import type { TreeEntry } from '../evidence/tree-entry.ts';

// The name of an object is the hash of its content, but git does not compute it again when it reads one: what any
// process of the user can write into a repository's objects is taken for what its name says.

const FORMATS = new Map([
  [40, 'sha1'],
  [64, 'sha256'],
]);
const TREE_MODE = '40000';

/** The format of the hashes of a repository, by one of them. */
export const formatOf = (hash: string): string => FORMATS.get(hash.length) ?? 'sha1';

/** The name of an object with this content. */
export const objectHash = (kind: 'blob' | 'tree' | 'commit', content: Uint8Array, format: string): string =>
  createHash(format).update(`${kind} ${content.length}\0`).update(content).digest('hex');

interface Folder {
  readonly folders: Map<string, Folder>;
  readonly files: Map<string, TreeEntry>;
}

const emptyFolder = (): Folder => ({ folders: new Map(), files: new Map() });

/** The name of the tree that has these entries, and no folder without any. */
export function treeHash(entries: TreeEntries, format: string): string {
  const top = emptyFolder();
  for (const [name, entry] of entries) {
    const names = name.split('/');
    const file = names.pop() ?? '';
    let folder = top;
    for (const one of names) {
      const inner = folder.folders.get(one) ?? emptyFolder();
      folder.folders.set(one, inner);
      folder = inner;
    }
    folder.files.set(file, entry);
  }
  return hashOf(top, format);
}

function hashOf({ folders, files }: Folder, format: string): string {
  // Git sorts a folder as if its name ended with a slash.
  const lines = [
    ...[...files].map(([name, { mode, hash }]) => ({ sorted: name, name, mode, hash })),
    ...[...folders].map(([name, inner]) => ({
      sorted: `${name}/`,
      name,
      mode: TREE_MODE,
      hash: hashOf(inner, format),
    })),
  ].toSorted((one, other) => (one.sorted < other.sorted ? -1 : 1));
  const content = lines.flatMap(({ mode, name, hash }) => [
    Buffer.from(`${mode} ${name}\0`, 'latin1'),
    Buffer.from(hash, 'hex'),
  ]);
  return objectHash('tree', Buffer.concat(content), format);
}

/** Every attempt of a run is compared with one base, and what is compared is checked out next. */
const MAX_KNOWN = 4;
const known = new Map<string, TreeEntries>();

/** The entries of a tree that was hashed not long ago. */
export const knownTree = (tree: string): TreeEntries | undefined => known.get(tree);

/** Whether a tree of this name has these entries. */
export function isTree(tree: string, entries: TreeEntries): boolean {
  const before = known.get(tree);
  const isTrue = before ? areEqual(before, entries) : treeHash(entries, formatOf(tree)) === tree;
  if (!isTrue) return false;
  known.delete(tree);
  known.set(tree, before ?? entries);
  const [oldest = tree] = known.size > MAX_KNOWN ? known.keys() : [];
  if (oldest !== tree) known.delete(oldest);
  return true;
}

function areEqual(one: TreeEntries, other: TreeEntries): boolean {
  if (one === other) return true;
  if (one.size !== other.size) return false;
  for (const [name, { mode, hash }] of one) {
    const entry = other.get(name);
    if (entry?.hash !== hash || entry.mode !== mode) return false;
  }
  return true;
}
