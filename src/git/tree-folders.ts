import { objectHash } from './object-hash.ts';
import type { TreeEntries } from './tree-change.ts';
import type { TreeEntry } from '../evidence/tree-entry.ts';

// A tree by its folders, each with its own hash: two trees that differ in a few files have most folders in common, and
// only those on the way to a change are hashed again.

/** A folder of a tree. It does not change once it is hashed: another tree may have it, too. */
export interface TreeFolder {
  readonly folders: Map<string, TreeFolder>;
  readonly files: Map<string, TreeEntry>;
  /** Null: it is not hashed yet. */
  hash: string | null;
}

/** The mode of a folder, as a tree has it. */
export const FOLDER_MODE = '40000';

const emptyFolder = (): TreeFolder => ({ folders: new Map(), files: new Map(), hash: null });

const isEmpty = ({ folders, files }: TreeFolder): boolean => folders.size === 0 && files.size === 0;

/** The folders of all entries of a tree. */
export function foldersOfTree(entries: TreeEntries): TreeFolder {
  const top = emptyFolder();
  let last = { way: '', folder: top };
  for (const [name, entry] of entries) {
    const end = name.lastIndexOf('/') + 1;
    const way = name.slice(0, end);
    // Files of one folder follow each other.
    if (way !== last.way) last = { way, folder: folderAt(top, way) };
    last.folder.files.set(name.slice(end), entry);
  }
  return top;
}

function folderAt(top: TreeFolder, way: string): TreeFolder {
  let folder = top;
  for (const name of way.split('/').slice(0, -1)) {
    const inner = folder.folders.get(name) ?? emptyFolder();
    folder.folders.set(name, inner);
    folder = inner;
  }
  return folder;
}

/** The same with other files, and without those that are null. What lies on no way to them is shared. */
export function withFiles(top: TreeFolder, changes: ReadonlyMap<string, TreeEntry | null>): TreeFolder {
  const own = new Set<TreeFolder>();
  const ownCopy = (folder: TreeFolder | undefined): TreeFolder => {
    if (folder && own.has(folder)) return folder;
    const copy = folder
      ? { folders: new Map(folder.folders), files: new Map(folder.files), hash: null }
      : emptyFolder();
    own.add(copy);
    return copy;
  };
  const changed = ownCopy(top);
  // A folder may take the place of a file: what goes is gone before.
  for (const [name, entry] of [...changes].toSorted(
    ([, one], [, other]) => Number(one !== null) - Number(other !== null),
  )) {
    const parts = name.split('/');
    const file = parts.pop() ?? '';
    const way = [changed];
    for (const part of parts) {
      const above = way.at(-1) ?? changed;
      const folder = ownCopy(above.folders.get(part));
      above.folders.set(part, folder);
      way.push(folder);
    }
    const last = way.at(-1) ?? changed;
    if (entry) last.files.set(file, entry);
    else last.files.delete(file);
    for (let at = way.length - 1; at > 0 && isEmpty(way[at] ?? changed); at -= 1) {
      way[at - 1]?.folders.delete(parts[at - 1] ?? '');
    }
  }
  return changed;
}

/** A folder as an object of git. */
export interface FolderObject {
  readonly hash: string;
  /** In the order of git. */
  readonly lines: readonly FolderLine[];
}

export interface FolderLine extends TreeEntry {
  readonly name: string;
}

/**
 * The name of a folder as an object. `onHashed`: is given each folder in it that was not hashed before, inner ones
 * first.
 */
export function folderHash(folder: TreeFolder, format: string, onHashed?: (object: FolderObject) => void): string {
  if (folder.hash !== null) return folder.hash;
  const files = [...folder.files].map(([name, { mode, hash }]) => ({ sorted: name, name, mode, hash }));
  // Git sorts a folder as if its name ended with a slash.
  const folders = [...folder.folders].map(([name, inner]) => ({
    sorted: `${name}/`,
    name,
    mode: FOLDER_MODE,
    hash: folderHash(inner, format, onHashed),
  }));
  const lines = [...files, ...folders].toSorted((one, other) => (one.sorted < other.sorted ? -1 : 1));
  const hash = objectHash('tree', contentOf(lines), format);
  folder.hash = hash;
  onHashed?.({ hash, lines });
  return hash;
}

/** The content of a tree, in one buffer: a large tree has thousands of lines. */
function contentOf(lines: readonly FolderLine[]): Buffer {
  const bytesOf = ({ mode, name, hash }: FolderLine) => mode.length + name.length + 2 + hash.length / 2;
  const content = Buffer.allocUnsafe(lines.reduce((sum, line) => sum + bytesOf(line), 0));
  let at = 0;
  for (const { mode, name, hash } of lines) {
    at += content.write(`${mode} ${name}\0`, at, 'latin1');
    at += content.write(hash, at, 'hex');
  }
  return content;
}
