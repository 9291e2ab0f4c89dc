import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeTemporaryFolder } from '../../log/temporary-folders.ts';
import { MAX_NAMED } from '../../../machines/recorded-proof.ts';
import type { Check, InheritedGround } from '../../../machines/settings.ts';
import type { GitCall } from '../../git/process/git.ts';
import { writeTree } from '../../git/worktree/true-trees.ts';
import { treeEntries } from '../../git/tree-change.ts';
import type { TreeEntry } from '../../evidence/tree-entry.ts';
import type { EarlierEntry } from '../../evidence/grounds-of-earlier.ts';
import { byName, byPath, pathOf } from '../../verification/trees-by-path.ts';
import { plannedLegs } from '../../verification/plan-legs.ts';

interface InheritedBase {
  /** Hash of the tree of the workspace, with what was there before in place of these grounds. */
  readonly base: string;
  /** The first by path. */
  readonly inherited: InheritedGround[];
}

export interface GroundRules {
  readonly checks: readonly Check[];
  /** The folder that checks run in, from the top. */
  readonly folder: string;
  readonly protect: readonly string[];
  readonly unprotect: readonly string[];
}

/**
 * The tree that the checks of a new run go by: the first leg of all that earlier runs have left. What checks and
 * configuration name is what they named before. Null: no ground is among it. Throws a `GitError`.
 */
export async function inheritedBase(
  present: string,
  left: ReadonlyMap<string, EarlierEntry<TreeEntry>>,
  rules: GroundRules,
  call: GitCall,
): Promise<InheritedBase | null> {
  if (left.size === 0) return null;
  const folder = await makeTemporaryFolder('grounds');
  try {
    const writing = { ...call, index: join(folder, 'index') };
    const before = new Map(await treeEntries(present, call));
    for (const [name, { entry }] of left) {
      if (entry === null) before.delete(name);
      else before.set(name, entry);
    }
    const named = byPath(before);
    const earlier = await writeTree(byName(named), writing);
    const { first, changes } = await plannedLegs({ base: earlier, work: present }, rules, writing);
    if (changes.length === 0) return null;
    const runs = new Map([...left].map(([name, { run }]) => [pathOf(name), run]));
    const inherited = changes.map(({ path }) => ({ path, run: runs.get(path) ?? '' }));
    return { base: first, inherited: inherited.slice(0, MAX_NAMED) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
