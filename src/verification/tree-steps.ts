import type { GitCall } from '../git/process/git.ts';
import { textOf } from '../git/object-text.ts';
import { trueEntries } from '../git/worktree/true-trees.ts';
import type { Check, CheckSteps } from '../../machines/settings.ts';
import { readSteps } from '../evidence/steps/load-steps.ts';
import { isFile } from '../evidence/tree-entry.ts';
import { byPath } from './trees-by-path.ts';

/** The checks of several steps, as a tree says it. `folder`: what checks run in, from the top. Throws a `GitError`. */
export async function treeSteps(
  checks: readonly Check[],
  tree: string,
  folder: string,
  call: GitCall,
): Promise<readonly CheckSteps[]> {
  const entries = byPath(await trueEntries(tree, call));
  const read = async (path: string) => {
    const entry = entries.get(path);
    return isFile(entry) ? textOf(entry.hash, call) : null;
  };
  return readSteps(checks, { folder, paths: entries.keys(), read });
}
