import type { GitCall } from '../git/process/git.ts';
import { textOf } from '../git/object-text.ts';
import { trueEntries, writeTree } from '../git/worktree/proof-repository.ts';
import { isFile, isRepository } from '../evidence/tree-entry.ts';
import type { GroundChange } from '../../machines/recorded-proof.ts';
import { type TestPlaces, testPlaces } from '../evidence/tests-without-files.ts';
import { legOne } from '../evidence/leg-one.ts';
import { treeSuppressions } from './tree-suppressions.ts';
import { baseGrounds, type BaseRules, byName, byPath, type NamedEntries, type NamedEntry } from './base-grounds.ts';

export interface PlannedLegs {
  /** The tree with the base's grounds. */
  readonly first: string;
  readonly changes: readonly GroundChange[];
  /** The grounds that the first leg has, by path. Of those with keys, some keys are. */
  readonly grounds: ReadonlySet<string>;
  /** Where the base may have its tests. */
  readonly places: TestPlaces;
  /** Changed grounds that `unprotect` alone releases. */
  readonly released: readonly string[];
  /** The checks that run nothing of what they look at. */
  readonly reading: ReadonlySet<string>;
  /** The words of the program by which each of them reads. */
  readonly readers: ReadonlyMap<string, readonly string[]>;
  /** By how many comments that silence its checks the first tree has more than the base. */
  readonly suppressions: number;
  /** Repositories within, which no capture has. */
  readonly missing: readonly string[];
  /** What the run began with. */
  readonly base: NamedEntries;
  /** The trees of both legs. */
  readonly trees: readonly [first: NamedEntries, work: NamedEntries];
}

/** Finds what the work has changed of its grounds, and writes the tree of the first leg. */
export async function plannedLegs(
  { base, work }: { readonly base: string; readonly work: string },
  rules: BaseRules,
  call: GitCall,
): Promise<PlannedLegs> {
  const [before, after] = await Promise.all([base, work].map(async (tree) => byPath(await trueEntries(tree, call))));
  if (!before || !after) throw new TypeError('two trees were asked for');
  const { grounds, released, reading, readers, linting } = await baseGrounds(before, after, rules, call);
  const texts = new Map<NamedEntry, string | null>();
  for (const [path, { reason }] of grounds) {
    const entries = reason === 'keys' ? [before.get(path), after.get(path)] : [];
    for (const entry of entries) if (isFile(entry)) texts.set(entry, await textOf(entry.hash, call));
  }
  const plan = legOne({ base: before, work: after, grounds, text: (entry) => texts.get(entry) ?? null });
  const named = new Map([...plan.texts].map(([path, text]) => [after.get(path)?.name ?? path, text]));
  const isUnchanged = plan.changes.length === 0;
  const first = isUnchanged ? work : await writeTree(byName(plan.entries), named, call);
  return {
    first,
    suppressions: await treeSuppressions({ from: base, to: first }, linting.size === 0 ? 'coverage' : 'all', call),
    changes: plan.changes,
    grounds: new Set([...grounds.keys()].filter((path) => plan.entries.has(path))),
    places: testPlaces(grounds, before),
    reading,
    readers,
    released: released.filter((path) => before.get(path)?.hash !== after.get(path)?.hash),
    missing: [...after].flatMap(([path, entry]) => (isRepository(entry) ? [path] : [])),
    base: before,
    // With the keys that were restored, too.
    trees: [isUnchanged ? after : byPath(await trueEntries(first, call)), after],
  };
}
