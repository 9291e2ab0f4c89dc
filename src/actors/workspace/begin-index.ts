import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OWN_PATTERNS } from '../../text/own-files.ts';
import { git, type GitCall } from './git.ts';
import { copyIndex } from './index-copy.ts';
import { type KeptIndex, removeIndex } from './kept-index.ts';
import { linksOf } from './nested-repositories.ts';
import { excludeFile, patternOf, rulesOf } from './rules-of-start.ts';
import { runRef } from './run-refs.ts';
import { treeEntries } from './tree-change.ts';

interface Beginning {
  readonly run: string;
  /** The worktree's own index. */
  readonly index: string;
  /** More of the loop's own files, from the root. */
  readonly leaveOut: readonly string[];
}

/**
 * An index with exactly what the run began with: what has been tracked or forgotten since makes no difference. It knows
 * of the worktree's own which files are as they were, which spares reading them. Null where git does not keep how the
 * run began.
 */
export async function beginIndex({ run, index: own, leaveOut }: Beginning, of: GitCall): Promise<KeptIndex | null> {
  const start = runRef(run, 0);
  const [rules, entries] = await Promise.all([rulesOf(run, of), treeEntries(start, of).catch(() => null)]);
  if (!rules || !entries) return null;
  const folder = await mkdtemp(join(tmpdir(), 'loopfold-index-'));
  const index = join(folder, 'index');
  const call = { ...of, index };
  const begun: KeptIndex = {
    folder,
    index,
    rules: join(folder, 'rules'),
    seen: null,
    links: linksOf(entries),
    last: null,
  };
  try {
    await copyIndex(own, index, leaveOut, call);
    await git(['read-tree', '--reset', '--no-sparse-checkout', start], call);
    await writeFile(begun.rules, excludeFile(rules) + OWN_PATTERNS + patternsOf(leaveOut), 'latin1');
    return begun;
  } catch (error) {
    await removeIndex(begun);
    throw error;
  }
}

const patternsOf = (paths: readonly string[]): string =>
  paths.map((path) => `${patternOf(Buffer.from(path).toString('latin1'))}\n`).join('');
