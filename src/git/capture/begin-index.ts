import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeTemporaryFolder } from '../../log/temporary-folders.ts';
import { git, type GitCall } from '../process/git.ts';
import { type KeptIndex, removeIndex } from './index-copy.ts';
import { linksOf } from './inner-repositories.ts';
import { type ContentCall, ofContent } from './raw-repository.ts';
import { rulesFile, rulesOf } from './rules-of-start.ts';
import { runRef } from '../run-refs.ts';
import { treeEntries } from '../tree-change.ts';
import { inputOf } from '../process/git-names.ts';

interface Beginning {
  readonly run: string;
  /** The worktree's own index. */
  readonly index: string;
  /** More of the loop's own files, from the root. */
  readonly leaveOut: readonly string[];
}

/**
 * An index with exactly what the run began with: what has been tracked or forgotten since makes no difference. It says
 * of no file that it is as it was: each is read. Null where git does not keep how the run began.
 */
export async function beginIndex({ run, index: own, leaveOut }: Beginning, of: ContentCall): Promise<KeptIndex | null> {
  const start = runRef(run, 0);
  const [rules, entries] = await Promise.all([rulesOf(run, of), treeEntries(start, of).catch(() => null)]);
  if (!rules || !entries) return null;
  const folder = await makeTemporaryFolder('index');
  const index = join(folder, 'index');
  const call = { ...of, index };
  const begun: KeptIndex = {
    folder,
    index,
    rules: join(folder, 'rules'),
    seen: null,
    links: linksOf(entries),
    isSparse: false,
    readFrom: null,
    last: null,
  };
  try {
    await git(['read-tree', '--no-sparse-checkout', start], call);
    const isSparse = await skipAsOwn(own, (name) => entries.has(name), call);
    await writeFile(begun.rules, rulesFile(rules, leaveOut), 'latin1');
    return { ...begun, isSparse };
  } catch (error) {
    await removeIndex(begun);
    throw error;
  }
}

// The index of the user says which files are tracked, also ignored ones, with which modes, and which of them a sparse
// checkout has left out. What it says of their content is not what a capture has: filters and line ends were applied,
// and an agent can write into it whatever it likes.

/** As `ls-files -t` has it: a file that need not be in the worktree. */
const SKIPPED = 'S ';
const GIT_LINK = '160000 ';

/** What an index of a capture begins with. */
export interface BegunIndex {
  /** Other repositories in it, in latin1. */
  readonly links: readonly string[];
  /** It has files that need not be in the worktree. */
  readonly isSparse: boolean;
}

/**
 * Fills the new index of a call with what the user's has at these pathspecs, so that git reads each file. Nothing where
 * there is none, as in a new repository.
 */
export async function beginAtOwn(own: string, pathspecs: readonly string[], call: ContentCall): Promise<BegunIndex> {
  const entries = await entriesOf(own, ['--stage', '-t', '--', ...pathspecs], call);
  if (entries.length === 0) return { links: [], isSparse: false };
  const lines = entries.map((entry) => entry.slice(SKIPPED.length));
  await git(['update-index', '-z', '--index-info'], { ...ofContent(call), input: inputOf(lines) });
  const nameOf = (line: string) => line.slice(line.indexOf('\t') + 1);
  const skipped = entries.filter((entry) => entry.startsWith(SKIPPED)).map(nameOf);
  await skip(skipped, call);
  return { links: lines.filter((line) => line.startsWith(GIT_LINK)).map(nameOf), isSparse: skipped.length > 0 };
}

/** Has the index of a call skip what the user's skips, of the files that it has. Returns whether there are any. */
async function skipAsOwn(own: string, has: (name: string) => boolean, call: ContentCall): Promise<boolean> {
  const entries = await entriesOf(own, ['-t'], call);
  const skipped = entries.filter((entry) => entry.startsWith(SKIPPED)).map((entry) => entry.slice(SKIPPED.length));
  const known = skipped.filter(has);
  await skip(known, call);
  return known.length > 0;
}

async function entriesOf(own: string, asked: readonly string[], call: GitCall): Promise<readonly string[]> {
  if (!(await stat(own).catch(() => null))) return [];
  const listed = await git(['ls-files', '-z', ...asked], { ...call, index: own });
  return Buffer.from(listed)
    .toString('latin1')
    .split('\0')
    .filter((entry) => entry !== '');
}

async function skip(names: readonly string[], call: ContentCall): Promise<void> {
  if (names.length === 0) return;
  await git(['update-index', '--skip-worktree', '-z', '--stdin'], { ...ofContent(call), input: inputOf(names) });
}
