import type { Check, CheckSteps } from '../../../../machines/settings.ts';
import type { GitCall } from '../../../actors/workspace/git.ts';
import { textOf, trueEntries } from '../../../actors/workspace/proof-repository.ts';
import { STEP_FILES } from '../../../evidence/steps/package-scripts.ts';
import { stepsOf } from '../../../evidence/steps/steps-of.ts';
import { isFile } from '../../../evidence/tree-entry.ts';
import { foldersOf, nameOf } from '../../../evidence/workspace-paths.ts';
import { byPath } from './base-grounds.ts';

/** Of a tree with more of them, those in the upper folders are read. */
const MAX_FILES = 100;

/** The checks of several steps, as a tree says it. `folder`: what checks run in, from the top. Throws a `GitError`. */
export async function treeSteps(
  checks: readonly Check[],
  tree: string,
  folder: string,
  call: GitCall,
): Promise<readonly CheckSteps[]> {
  const entries = byPath(await trueEntries(tree, call));
  const there = new Set([...entries.keys()].flatMap((path) => [path, ...foldersOf(path)]));
  const named = [...entries].filter(([path, entry]) => STEP_FILES.has(nameOf(path)) && isFile(entry));
  const read = named.toSorted(([one], [other]) => depth(one) - depth(other)).slice(0, MAX_FILES);
  const files = new Map<string, string>();
  for (const [path, { hash }] of read) {
    const text = await textOf(hash, call);
    if (text !== null) files.set(path, text);
  }
  const has = (path: string) => there.has(path);
  return checks.flatMap((check) => {
    const steps = stepsOf(check, folder, { files, has });
    return steps ? [{ check: check.name, steps: [...steps] }] : [];
  });
}

const depth = (path: string): number => path.split('/').length;
