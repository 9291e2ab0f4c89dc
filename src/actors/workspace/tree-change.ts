import type { TreeEntry } from '../../evidence/tree-entry.ts';
import { changedFiles } from './changed-files.ts';
import { git, type GitCall } from './git.ts';
import { exceptFor } from './log-names.ts';

/** One path that differs between two trees. A moved file is one that was removed and one that was added. */
export interface TreeChange {
  /** For people. A name that is not UTF-8 stands in quotes, each odd byte as `\ooo`. */
  readonly path: string;
  /** From the root of the worktree, each byte one character (latin1): file names need not be text. */
  readonly name: string;
  readonly before: TreeEntry | null;
  readonly after: TreeEntry | null;
  /** Lines. Null in a binary file. */
  readonly added: number | null;
  readonly removed: number | null;
}

const NUL = '\0';
const RAW = /^:(\d+) (\d+) ([\da-f]+) ([\da-f]+) [A-Z]\d*$/;
const ABSENT = '000000';

/** The paths that differ between two trees, in git's order. `leaveOut`: names from the root that do not count. */
export async function treeChanges(
  from: string,
  to: string,
  call: GitCall,
  leaveOut: readonly string[] = [],
): Promise<readonly TreeChange[]> {
  return treeChangesIn(Buffer.from(await git([...TREE_CHANGES, from, to, ...exceptFor(leaveOut)], call)));
}

/** The same without counts of lines: no file is read. By name. */
export async function changedEntries(
  from: string,
  to: string,
  call: GitCall,
): Promise<ReadonlyMap<string, Pick<TreeChange, 'before' | 'after'>>> {
  const asked = ['diff-tree', '-r', '-z', '--raw', '--no-abbrev', '--no-renames', from, to];
  const { entries } = rawEntries(Buffer.from(await git(asked, call)));
  return new Map(entries.map(({ name, before, after }) => [name, { before, after }]));
}

/** Before the names of two trees: git's question for their changes. */
export const TREE_CHANGES = ['diff-tree', '-r', '-z', '--raw', '--numstat', '--no-abbrev', '--no-renames'];

/** Reads the answer to `TREE_CHANGES`. */
export function treeChangesIn(said: Buffer): readonly TreeChange[] {
  const { entries, end } = rawEntries(said);
  // Git prints the counts after all entries, in the same order.
  return changedFiles(said.subarray(end)).map((counts, index) => ({ ...entries[index], ...counts }) as TreeChange);
}

/** By name, as in `TreeChange`. */
export type TreeEntries = ReadonlyMap<string, TreeEntry>;

/** Everything in a tree. */
export async function treeEntries(tree: string, call: GitCall): Promise<TreeEntries> {
  const said = Buffer.from(await git(['ls-tree', '-r', '-z', '--full-tree', tree], call)).toString('latin1');
  const lines = said.split(NUL).filter((line) => line !== '');
  return new Map(
    lines.map((line) => {
      const [mode = '', , hash = ''] = line.slice(0, line.indexOf('\t')).split(' ');
      return [line.slice(line.indexOf('\t') + 1), { mode, hash }];
    }),
  );
}

function rawEntries(said: Buffer): { entries: Omit<TreeChange, 'path' | 'added' | 'removed'>[]; end: number } {
  const entries = [];
  let end = 0;
  for (;;) {
    const header = said.indexOf(0, end);
    const match = header < 0 ? null : RAW.exec(said.subarray(end, header).toString('latin1'));
    if (!match) return { entries, end };
    const after = said.indexOf(0, header + 1);
    const [, oldMode = '', newMode = '', oldHash = '', newHash = ''] = match;
    entries.push({
      name: said.subarray(header + 1, after).toString('latin1'),
      before: oldMode === ABSENT ? null : { mode: oldMode, hash: oldHash },
      after: newMode === ABSENT ? null : { mode: newMode, hash: newHash },
    });
    end = after + 1;
  }
}
