import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeTemporaryFolder } from '../../log/temporary-folders.ts';
import { git, type GitCall, gitFacts } from '../process/git.ts';
import { inputOf } from '../process/git-names.ts';
import type { TreeChange, TreeEntries } from '../tree-change.ts';
import { isFile, type TreeEntry } from '../../evidence/tree-entry.ts';
import type { Step } from '../bring/bring-plan.ts';
import { rawRepositoryOf } from '../capture/raw-repository.ts';

// A capture has the bytes of files. A commit for a user has what the user's git stores of them: only of the paths that
// a run has changed, because filters are commands, and everything else is in the commit before.

/**
 * Changes as the user's git stores them: its filters run. `head`: the commit that they are brought onto, whose
 * attributes hold unless the change has others. Null: there is none.
 */
export async function storedChanges(
  changes: readonly TreeChange[],
  head: string | null,
  call: GitCall,
): Promise<readonly TreeChange[]> {
  const before = await storedEntries(sideOf(changes, 'before'), head, call);
  const after = await storedEntries(sideOf(changes, 'after'), head, call);
  return changes.map((change) => ({
    ...change,
    before: before.get(change.name) ?? null,
    after: after.get(change.name) ?? null,
  }));
}

const sideOf = (changes: readonly TreeChange[], side: 'before' | 'after'): TreeEntries =>
  new Map(
    changes.flatMap((change) => {
      const entry = change[side];
      return entry ? [[change.name, entry] as const] : [];
    }),
  );

/** Files of a capture as the user's git stores them, by their names. What is no file stays as it is. */
export async function storedEntries(entries: TreeEntries, head: string | null, of: GitCall): Promise<TreeEntries> {
  const files = [...entries].filter(([, entry]) => isFile(entry));
  if (files.length === 0) return entries;
  const folder = await makeTemporaryFolder('index');
  try {
    const bytes = { ...of, index: join(folder, 'bytes') };
    await git(['update-index', '-z', '--index-info'], { ...bytes, input: inputOf(files.map(asLine)) });
    const steps = files.map(([name, next]) => ({ path: name, name, now: null, next, isMerged: false }));
    const hashes = await withStagedFiles(steps, bytes, (staged) =>
      hashesOf(staged, { ...of, index: join(folder, 'stored') }, { head, names: files.map(([name]) => name) }),
    );
    return new Map([...entries].map(([name, entry]) => [name, { ...entry, hash: hashes.get(name) ?? entry.hash }]));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const asLine = ([name, { mode, hash }]: readonly [string, TreeEntry]): string => `${mode} ${hash}\t${name}`;

/** What git stores of files in a folder, which it takes for the worktree. Other attributes are `head`'s. */
async function hashesOf(
  folder: string,
  call: GitCall,
  { head, names }: { readonly head: string | null; readonly names: readonly string[] },
): Promise<ReadonlyMap<string, string>> {
  const [gitDirectory = ''] = await gitFacts(['--git-dir'], call);
  if (head !== null) await git(['read-tree', '--no-sparse-checkout', head], call);
  const within = { ...call, directory: folder, repository: { gitDirectory, worktree: folder } };
  await git(['update-index', '--add', '--replace', '-z', '--stdin'], { ...within, input: inputOf(names) });
  const listed = Buffer.from(await git(['ls-files', '--stage', '-z'], within)).toString('latin1');
  const entries = listed.split('\0').filter((entry) => entry !== '');
  return new Map(entries.map((entry) => [entry.slice(entry.indexOf('\t') + 1), entry.split(' ')[1] ?? ''] as const));
}

/** Calls `work` with a folder that has the files of an index that some steps lead to, byte for byte. */
export async function withStagedFiles<Result>(
  steps: readonly Step[],
  call: GitCall & { readonly index: string },
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = await makeTemporaryFolder('files');
  try {
    const names = steps.flatMap(({ name, next }) => (next === null ? [] : [`${name}\0`]));
    if (names.length > 0) {
      const raw = await rawRepositoryOf(call, folder);
      const input = Buffer.from(names.join(''), 'latin1');
      await git(['checkout-index', '-z', '--stdin'], { ...call, directory: folder, raw, input });
    }
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
