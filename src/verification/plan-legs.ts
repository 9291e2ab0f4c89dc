import type { GitCall } from '../git/process/git.ts';
import { textOf } from '../git/object-text.ts';
import { type Replaced, trueEntries, writeChanged } from '../git/worktree/true-trees.ts';
import { isFile } from '../evidence/tree-entry.ts';
import type { GroundChange } from '../../machines/recorded-proof.ts';
import { type TestPlaces, testPlaces } from '../evidence/tests-without-files.ts';
import { type LegOne, legOne } from '../evidence/leg-one.ts';
import { treeSuppressions } from './tree-suppressions.ts';
import { baseGrounds, type BaseRules } from './base-grounds.ts';
import { byPath, type NamedEntries, type NamedEntry, repositoriesIn } from './trees-by-path.ts';

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
  /** What the run began with, and the hash of that tree. */
  readonly base: NamedEntries;
  readonly baseTree: string;
  /** The trees of both legs. */
  readonly trees: readonly [first: NamedEntries, work: NamedEntries];
}

/** Finds what the work has changed of its grounds, and writes the tree of the first leg. */
export async function plannedLegs(
  { base, work }: { readonly base: string; readonly work: string },
  rules: BaseRules,
  call: GitCall,
): Promise<PlannedLegs> {
  const before = byPath(await trueEntries(base, call));
  const after = byPath(await trueEntries(work, call, base));
  const { grounds, released, reading, readers, linting } = await baseGrounds(before, after, rules, call);
  const texts = new Map<NamedEntry, string | null>();
  for (const [path, { reason }] of grounds) {
    const entries = reason === 'keys' ? [before.get(path), after.get(path)] : [];
    for (const entry of entries) if (isFile(entry)) texts.set(entry, await textOf(entry.hash, call));
  }
  const plan = legOne({ base: before, work: after, grounds, text: (entry) => texts.get(entry) ?? null });
  const isUnchanged = plan.changes.length === 0;
  const first = isUnchanged ? work : await writeChanged(work, replacedIn(plan, after), call);
  return {
    first,
    suppressions: await treeSuppressions({ from: base, to: first }, linting.size === 0 ? 'coverage' : 'all', call),
    changes: plan.changes,
    grounds: new Set([...grounds.keys()].filter((path) => plan.entries.has(path))),
    places: testPlaces(grounds, before),
    reading,
    readers,
    released: released.filter((path) => before.get(path)?.hash !== after.get(path)?.hash),
    missing: repositoriesIn(after),
    base: before,
    baseTree: base,
    // With the keys that were restored, too.
    trees: [isUnchanged ? after : byPath(await trueEntries(first, call, work)), after],
  };
}

/** What the first leg has in place of what the work has, by the names of both. */
function replacedIn(
  { changes, entries, texts }: LegOne<NamedEntry>,
  work: NamedEntries,
): ReadonlyMap<string, Replaced> {
  const replaced = new Map<string, Replaced>();
  for (const { path } of changes) {
    const [text, entry] = [texts.get(path), entries.get(path)];
    const name = entry?.name ?? work.get(path)?.name ?? path;
    if (entry && text !== undefined) replaced.set(name, { text });
    else replaced.set(name, entry ? { mode: entry.mode, hash: entry.hash } : null);
  }
  return replaced;
}
