import { readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { git, type GitCall, GitError } from '../process/git.ts';
import { HASH_BYTES, indexEntries, isKnownIndex } from '../capture/index-entries.ts';
import type { TreeEntries } from '../tree-change.ts';
import { formatOf, isTree, objectHash } from '../tree-hash.ts';

/** A line for each name: one with such a byte would be taken for another. */
const SPECIAL = /["\n\r\\]/;

/**
 * The entries of a tree that was checked out just now, of which those in `known` were checked before. Throws a
 * `GitError` where the tree, or a file, is not what its name says.
 */
export async function assertTrue(tree: string, call: GitCall, known: TreeEntries | null): Promise<TreeEntries> {
  const format = formatOf(tree);
  const index = await readFile(call.index ?? '').catch(() => null);
  const entries = index ? entriesOf(index, format) : new Map();
  if (!isTree(tree, entries)) throw untrue(tree, 'a tree');
  const files: string[] = [];
  const others: string[] = [];
  for (const [name, { mode, hash }] of entries) {
    const before = known?.get(name);
    if (before && before.hash === hash && before.mode === mode) continue;
    if (mode.startsWith('100') && !SPECIAL.test(name)) files.push(name);
    else if (mode !== '160000') others.push(name);
  }
  const hashes = await hashesOf(files, call);
  for (const [at, name] of files.entries()) assertHash(name, hashes[at], entries);
  for (const name of others) assertHash(name, await hashOf(name, entries, call, format), entries);
  return entries;
}

function entriesOf(index: Buffer, format: string): TreeEntries {
  const bytes = HASH_BYTES[format];
  if (bytes === undefined || !isKnownIndex(index)) throw new TypeError('the index of a checkout has an unknown form');
  return indexEntries(index, bytes);
}

async function hashesOf(names: readonly string[], call: GitCall): Promise<readonly string[]> {
  if (names.length === 0) return [];
  const input = Buffer.from(names.map((name) => `${name}\n`).join(''), 'latin1');
  const said = await git(['hash-object', '--no-filters', '--stdin-paths'], { ...call, input });
  return Buffer.from(said).toString().split('\n');
}

async function hashOf(name: string, entries: TreeEntries, call: GitCall, format: string): Promise<string> {
  const path = Buffer.concat([Buffer.from(join(call.directory, '/')), Buffer.from(name, 'latin1')]);
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
