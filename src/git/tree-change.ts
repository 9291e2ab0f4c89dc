import type { TreeEntry } from '../evidence/tree-entry.ts';
import { git, type GitCall, gitStream } from './process/git.ts';
import { exceptFor } from './capture/log-names.ts';
import type { ChangedFile } from '../../machines/events.ts';

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
  const entries = new Map<string, TreeEntry>();
  for (let start = 0; start < said.length;) {
    const tab = said.indexOf('\t', start);
    const end = said.indexOf(NUL, tab);
    const hash = said.slice(said.lastIndexOf(' ', tab) + 1, tab);
    entries.set(said.slice(tab + 1, end), { mode: said.slice(start, said.indexOf(' ', start)), hash });
    start = end + 1;
  }
  return entries;
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

const NUL_BYTE = 0;
const TAB = 9;
const LAST_ASCII = 0x7f;

/** Reads what `git diff-tree --numstat -z --no-renames` prints. In a binary file git counts no lines: null. */
export function changedFiles(numstat: Uint8Array): ChangedFile[] {
  const files: ChangedFile[] = [];
  for (let start = 0; start < numstat.length;) {
    const first = numstat.indexOf(TAB, start);
    const second = numstat.indexOf(TAB, first + 1);
    const end = numstat.indexOf(NUL_BYTE, second + 1);
    files.push({
      path: pathOf(numstat.subarray(second + 1, end)),
      added: countOf(numstat.subarray(start, first)),
      removed: countOf(numstat.subarray(first + 1, second)),
    });
    start = end + 1;
  }
  return files;
}

function countOf(bytes: Uint8Array): number | null {
  const text = String.fromCharCode(...bytes);
  return text === '-' ? null : Number(text);
}

/** A name that is not UTF-8 is written as git writes it: in quotes, each odd byte as `\ooo`. */
function pathOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return `"${Array.from(bytes, escaped).join('')}"`;
  }
}

const escaped = (byte: number) => (byte > LAST_ASCII ? `\\${byte.toString(8)}` : String.fromCharCode(byte));

/** No setting, attribute or program of the user changes how the patch is written. */
const PLAIN = ['--no-ext-diff', '--no-textconv', '--no-color', '--src-prefix=a/', '--dst-prefix=b/'];

/** Names as they are, but for those that a line of a patch cannot have: other names are quoted in octal by default. */
const withRealNames = (call: GitCall): GitCall => ({
  ...call,
  settings: [...(call.settings ?? []), 'core.quotePath=false'],
});

/** More lines than any file has. */
const ALL_LINES = 1_000_000_000;

/**
 * The difference of two trees as `git apply` takes it, binary files included, byte for byte, while git prints it: it
 * may be larger than what fits into memory. Throws a `GitError`, before which it is not whole. `forPeople`: in place of
 * the content of a binary file, only that it differs. `showsMoves`: of a file that moved, only what changed, which `git
 * apply` does not need. `leaveOut`: names from the root that are not in it. `realNames`: names beyond ASCII
 * are as they are, by default for people; digests are of the other form.
 */
export function treePatch(
  trees: { from: string; to: string; leaveOut: readonly string[]; realNames?: boolean },
  call: GitCall,
  forPeople = false,
  showsMoves = false,
): AsyncIterable<Uint8Array> {
  const { from, to, leaveOut, realNames = forPeople } = trees;
  const moves = [showsMoves ? '--find-renames' : '--no-renames'];
  const whole = forPeople ? [] : ['--binary', '--full-index'];
  const asked = ['diff-tree', '-r', '-p', ...PLAIN, ...moves, ...whole, from, to, ...exceptFor(leaveOut)];
  return gitStream(asked, realNames ? withRealNames(call) : call);
}

/** The same with the whole text of each changed file, also of those that git takes for binary. */
export const wholeFilesPatch = ({ from, to }: { from: string; to: string }, call: GitCall): AsyncIterable<Uint8Array> =>
  gitStream(['diff-tree', '-r', '-p', ...PLAIN, '--text', `--unified=${ALL_LINES}`, from, to], withRealNames(call));
