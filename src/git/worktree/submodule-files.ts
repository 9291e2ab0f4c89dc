import { lstat, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isRepository, sameEntry } from '../../evidence/tree-entry.ts';
import { makeTemporaryFolder } from '../../log/temporary-folders.ts';
import { askGit, type GitCall, gitFacts } from '../process/git.ts';
import { listNames, nameText, repositoriesAmong } from '../process/git-names.ts';
import { RAW_ATTRIBUTES } from '../capture/raw-repository.ts';
import { bringTo, makeGitFolder } from './proof-repository.ts';
import { type TreeEntries, treeEntries } from '../tree-change.ts';
import { formatOf, objectHash } from '../object-hash.ts';
import { type TrueCheckout, untrue } from './true-checkout.ts';
import { trueEntries } from './true-trees.ts';

// A tree has of a submodule only its commit, so a checkout of ours would leave its folder empty. The folder that a run
// was given has the objects of that commit: its files are written from there, byte for byte, without the network.

/** More submodules of one checkout are left empty: each takes two processes. */
const MAX_SUBMODULES = 200;
/** Submodules within submodules that are deeper stay empty. */
const MAX_DEPTH = 5;

export interface Checkout {
  /** The top of the folder whose repositories have the objects. */
  readonly from: string;
  /** The top of the checkout. */
  readonly to: string;
  readonly entries: TreeEntries;
}

/** The other repositories in a tree: their commits by path. */
const repositoriesWithin = (entries: TreeEntries): TreeEntries =>
  new Map([...entries].filter(([, entry]) => isRepository(entry)));

/**
 * Writes the files of submodules into a checkout whose other files are there, as plain files. One that is not
 * initialised in the folder, or whose commit is not there, stays empty. Throws a `GitError` where an object is untrue.
 */
export async function fillSubmodules(checkout: Checkout, depth = 0): Promise<void> {
  const links = [...repositoriesWithin(checkout.entries)].slice(0, MAX_SUBMODULES);
  if (links.length === 0 || depth === MAX_DEPTH) return;
  for (const [name, { hash }] of links) {
    const path = nameText(name);
    const [from, to] = [join(checkout.from, path), join(checkout.to, path)];
    // A sparse checkout has no folder for one that it leaves out.
    if (!(await lstat(to).catch(() => null))?.isDirectory()) continue;
    const entries = await inStore(from, to, async (call) => {
      const tree = await treeOf(hash, call);
      return tree === null ? null : (await bringTo(tree, call, null)).entries;
    });
    if (entries) await fillSubmodules({ from, to, entries }, depth + 1);
  }
}

/** The files that a submodule has at a commit. Null: its objects are not in this folder. */
const filesAt = (commit: string, from: string): Promise<TreeEntries | null> =>
  inStore(from, from, async (call) => {
    const tree = await treeOf(commit, call);
    return tree === null ? null : trueEntries(tree, call);
  });

/**
 * Brings the checkout of a proof to a tree, with the files of submodules. `known`: what is in it, of which submodules
 * that are the same stay as they are. `from`: the top of the folder that has them.
 */
export async function bringWhole(
  tree: string,
  call: GitCall,
  known: TrueCheckout | null,
  from: string,
): Promise<TrueCheckout> {
  const before = repositoriesWithin(known?.entries ?? new Map());
  const isSame = before.size > 0 && areSame(before, repositoriesWithin(await trueEntries(tree, call)));
  const left = isSame ? [] : [...before.keys()];
  for (const name of left) await rm(join(call.directory, nameText(name)), { recursive: true, force: true });
  for (const name of left) await mkdir(join(call.directory, nameText(name)), { recursive: true });
  const brought = await bringTo(tree, call, known);
  if (!isSame) await fillSubmodules({ from, to: call.directory, entries: brought.entries });
  return brought;
}

const areSame = (one: TreeEntries, other: TreeEntries): boolean =>
  one.size === other.size && [...one].every(([name, entry]) => sameEntry(entry, other.get(name)));

/** Calls git in a folder of ours that borrows the objects of the repository in `from`. Null: there is none. */
async function inStore<Value>(
  from: string,
  worktree: string,
  work: (call: GitCall) => Promise<Value>,
): Promise<Value | null> {
  if (!(await lstat(join(from, '.git')).catch(() => null))) return null;
  const facts = await gitFacts(['--git-path objects', '--show-object-format'], { directory: from }).catch(() => null);
  if (facts === null) return null;
  const [alternates = '', objectFormat = ''] = facts;
  const gitDirectory = await makeTemporaryFolder('index');
  try {
    await makeGitFolder(gitDirectory, { objectFormat, head: null, alternates });
    await writeFile(join(gitDirectory, 'info/attributes'), RAW_ATTRIBUTES);
    const repository = { gitDirectory, worktree };
    return await work({ directory: worktree, repository, index: join(gitDirectory, 'index') });
  } finally {
    await rm(gitDirectory, { recursive: true, force: true });
  }
}

/** Null: the repository does not have the commit, or its tree. */
async function treeOf(commit: string, call: GitCall): Promise<string | null> {
  const { exitCode, stdout } = await askGit(['cat-file', 'commit', commit], call);
  if (exitCode !== 0) return null;
  if (objectHash('commit', stdout, formatOf(commit)) !== commit) throw untrue(commit, 'a commit');
  const [, tree = ''] = /^tree ([\da-f]+)$/m.exec(Buffer.from(stdout).toString('latin1')) ?? [];
  return (await askGit(['cat-file', '-e', tree], call)).exitCode === 0 ? tree : null;
}

const LINK_MODE = '160000';

/** Other repositories in the index of a worktree, with their commits, by their paths in latin1. */
export async function submodulesOf(top: string): Promise<TreeEntries> {
  const lines = await listNames(['ls-files', '--stage', '-z'], { directory: top });
  const hashOf = (line: string) => line.split(' ')[1] ?? '';
  const links = lines.filter((line) => line.startsWith(`${LINK_MODE} `));
  return new Map(
    links.flatMap((line) => repositoriesAmong([line]).map((name) => [name, { mode: LINK_MODE, hash: hashOf(line) }])),
  );
}

/** Those of which the worktree has no file: the folder that it was made from has none, or not their commit. */
export async function emptySubmodules(top: string): Promise<readonly string[]> {
  const paths = [...(await submodulesOf(top)).keys()].map(nameText);
  const listed = await Promise.all(paths.map((path) => readdir(join(top, path)).catch(() => null)));
  return paths.filter((_path, at) => listed[at]?.length === 0);
}

/** A submodule whose files the worktree of a run began with. */
export interface FilledSubmodule {
  /** The top of the worktree. */
  readonly root: string;
  /** The top of the folder that it was made from. */
  readonly from: string;
  /** The path of the submodule from either. */
  readonly within: string;
  readonly commit: string;
}

/** The repositories within a tree. */
export async function repositoriesOf(
  tree: string,
  call: GitCall,
): Promise<readonly Pick<FilledSubmodule, 'within' | 'commit'>[]> {
  const links = [...repositoriesWithin(await treeEntries(tree, call))];
  return links.map(([name, { hash }]) => ({ within: nameText(name), commit: hash }));
}

/** Lists the files in a submodule, from the top, that are not what its commit has. */
export async function changedSinceFilled(
  paths: readonly string[],
  { root, from, within, commit }: FilledSubmodule,
): Promise<readonly string[]> {
  const hashes = await filledFiles(commit, from, within).catch(() => new Map<string, string>());
  const changed: string[] = [];
  // One after the other: all of them at once may be more than the memory holds.
  for (const path of paths) {
    const hash = hashes.get(path);
    const content = hash === undefined ? null : await readFile(join(root, path)).catch(() => null);
    if (content === null || objectHash('blob', content, formatOf(commit)) !== hash) changed.push(path);
  }
  return changed;
}

/** The hashes of the files that filling has written, by their paths from the top. */
async function filledFiles(commit: string, from: string, within: string): Promise<ReadonlyMap<string, string>> {
  const entries = (await filesAt(commit, join(from, within))) ?? new Map();
  const files = new Map<string, string>();
  for (const [name, entry] of entries) {
    const path = `${within}/${nameText(name)}`;
    if (!isRepository(entry)) files.set(path, entry.hash);
    else for (const [deeper, hash] of await filledFiles(entry.hash, from, path)) files.set(deeper, hash);
  }
  return files;
}
