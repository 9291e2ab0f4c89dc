import { lstat, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { git, type GitCall, GitError } from '../process/git.ts';
import { HASH_BYTES, type IndexChanges, indexChanges, isKnownIndex } from '../capture/index-entries.ts';
import type { TreeEntries } from '../tree-change.ts';
import { formatOf, objectHash } from '../object-hash.ts';
import { changedTree, isTree } from '../tree-hash.ts';
import { sameEntry } from '../../evidence/tree-entry.ts';

/** A line for each name: one with such a byte would be taken for another. */
const SPECIAL = /["\n\r\\]/;

/** A checkout that was brought to a tree, of which every file is what the tree says. */
export interface TrueCheckout {
  readonly tree: string;
  readonly entries: TreeEntries;
  /** As git has left it. Null: there is none, as in an empty tree. */
  readonly index: Buffer | null;
}

/**
 * Reads what was brought to a tree just now. `known`: what was there before. What git has not written since, by the
 * times and places in its index, is not read again. Throws a `GitError` where the tree, or a file, is not what its name
 * says.
 */
export async function trueCheckout(tree: string, call: GitCall, known: TrueCheckout | null): Promise<TrueCheckout> {
  const format = formatOf(tree);
  const index = await readFile(call.index ?? '').catch(() => null);
  const written = changesIn(known?.index ?? null, index, format);
  const entries = known?.index ? entriesAfter(written, tree, known) : filesAmong(written);
  if (entries === null || !isTree(tree, entries)) throw untrue(tree, 'a tree');
  const files: string[] = [];
  const others: string[] = [];
  for (const [name, entry] of written) {
    if (entry?.mode.startsWith('100') && !SPECIAL.test(name)) files.push(name);
    else if (entry && entry.mode !== '160000') others.push(name);
  }
  const isFew = await areFew(files, call);
  const hashes = isFew ? [] : await hashesOf(files, call);
  if (!isFew) for (const [at, name] of files.entries()) assertHash(name, hashes[at], entries);
  for (const name of isFew ? [...files, ...others] : others)
    assertHash(name, await hashOf(name, entries, call, format), entries);
  return { tree, entries, index };
}

function changesIn(before: Buffer | null, now: Buffer | null, format: string): IndexChanges {
  const bytes = HASH_BYTES[format];
  if (bytes === undefined || (now && !isKnownIndex(now)))
    throw new TypeError('the index of a checkout has an unknown form');
  return indexChanges(before, now, bytes);
}

const filesAmong = (written: IndexChanges): TreeEntries =>
  new Map([...written].flatMap(([name, entry]) => (entry ? [[name, entry] as const] : [])));

/** The entries of a checkout after its index has changed so. Null: they are not those of the tree. */
function entriesAfter(written: IndexChanges, tree: string, known: TrueCheckout): TreeEntries | null {
  // It was found true before: now it is known again, if it is not still.
  isTree(known.tree, known.entries);
  const differing = [...written].filter(([name, entry]) => !sameEntry(entry, known.entries.get(name)));
  const found = changedTree(known.tree, new Map(differing));
  return found?.tree === tree ? found.entries : null;
}

/** So many files, and so large ones, are read here: a process for them takes longer. */
const FEW_FILES = 16;
const FEW_BYTES = 1024 * 1024;

async function areFew(names: readonly string[], call: GitCall): Promise<boolean> {
  if (names.length > FEW_FILES) return false;
  const found = await Promise.all(names.map((name) => lstat(pathOf(name, call))));
  return found.reduce((sum, { size }) => sum + size, 0) <= FEW_BYTES;
}

const pathOf = (name: string, { directory }: GitCall): Buffer =>
  Buffer.concat([Buffer.from(join(directory, '/')), Buffer.from(name, 'latin1')]);

async function hashesOf(names: readonly string[], call: GitCall): Promise<readonly string[]> {
  if (names.length === 0) return [];
  const input = Buffer.from(names.map((name) => `${name}\n`).join(''), 'latin1');
  const said = await git(['hash-object', '--no-filters', '--stdin-paths'], { ...call, input });
  return Buffer.from(said).toString().split('\n');
}

async function hashOf(name: string, entries: TreeEntries, call: GitCall, format: string): Promise<string> {
  const path = pathOf(name, call);
  const isLink = entries.get(name)?.mode === '120000';
  const content = await (isLink ? readlink(path, { encoding: 'buffer' }) : readFile(path));
  return objectHash('blob', content, format);
}

function assertHash(name: string, hash: string | undefined, entries: TreeEntries): void {
  const expected = entries.get(name)?.hash ?? '';
  if (hash !== expected) throw untrue(expected, name);
}

/** Of damage, or of a process that wrote into the repository. */
export const untrue = (hash: string, what: string): GitError =>
  new GitError(
    'git_failed',
    'read-tree',
    `the object ${hash} (${what}) in the repository is not what its name says: it is damaged, or a process has ` +
      'written into .git. "git fsck" lists such objects.',
  );
