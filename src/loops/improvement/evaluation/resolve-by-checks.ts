import type { Discovery } from '../../../../machines/improvement-facts.ts';
import type { CheckedTree } from '../discovery/baseline-tests.ts';

/** All that the checks of a tree show, by fingerprint. */
export type FoundIn = (tree: CheckedTree) => ReadonlyMap<string, Discovery>;

export interface Resolving {
  readonly discovery: Discovery;
  readonly head: CheckedTree;
  /** The candidate with the tests and configuration of the head, as often as it was checked. */
  readonly restored: readonly CheckedTree[];
  /** The candidate as it is, as often as it was checked. */
  readonly whole: readonly CheckedTree[];
  readonly foundIn: FoundIn;
  /** How many more comments that silence compilers and linters it has than the head. */
  readonly suppressions: number;
}

/** Whether the finding that a candidate is for is gone. Null: no check can tell. */
export interface Resolved {
  readonly isGone: boolean | null;
  readonly detail: string;
  /** It is gone in some runs and not in others. */
  readonly flickers?: boolean;
}

/**
 * Looks for a candidate's own finding in what the checks say of it. A failing test has to pass with the tests of the
 * head, a skipped one has to run and pass, and an error has to be gone and not silenced.
 *
 * @example
 * resolvedByChecks({ discovery, head, restored: [checked], whole: [checked], foundIn, suppressions: 0 }).isGone;
 */
export function resolvedByChecks(of: Resolving): Resolved {
  const { discovery, restored, whole, suppressions } = of;
  switch (discovery.source) {
    case 'failing-tests':
      return told(of, [...restored, ...whole], 'failed');
    case 'skipped-tests':
      return told(of, whole, 'skipped');
    case 'type-errors':
    case 'lint':
      if (suppressions > 0)
        return { isGone: false, detail: `it is silenced and not resolved: ${suppressions} more comments that do so` };
      return told(of, [...restored, ...whole], null);
    default:
      return { isGone: null, detail: 'no check can tell whether it is resolved' };
  }
}

type Was = 'failed' | 'skipped' | null;

function told(of: Resolving, trees: readonly CheckedTree[], was: Was): Resolved {
  const gone = trees.map((tree) => isGone(of, tree, was));
  const { title } = of.discovery;
  if (gone.length > 0 && gone.every(Boolean)) return { isGone: true, detail: `gone: ${title}` };
  if (gone.some(Boolean) && trees.length > 1 && was !== null && hasBothResults(of, was))
    return { isGone: false, detail: `it passes in some runs and not in others: ${title}`, flickers: true };
  return { isGone: false, detail: `still there: ${title}` };
}

/** In one and the same tree. */
const hasBothResults = (of: Resolving, was: Was): boolean =>
  [of.restored, of.whole].some((same) => new Set(same.map((tree) => isGone(of, tree, was))).size > 1);

function isGone({ discovery: { fingerprint, check }, head, foundIn }: Resolving, tree: CheckedTree, was: Was): boolean {
  const ran = tree.levels.some(({ checks }) => checks.some(({ name }) => name === check));
  if (!ran || foundIn(tree).has(fingerprint)) return false;
  // A test that is deleted, or moved to another name, is not there to fail: it has to be seen passing.
  return was === null || !isTest(head, was) || foundIn(asIf(tree, was)).has(fingerprint);

  function isTest(on: CheckedTree, result: 'failed' | 'skipped'): boolean {
    return foundIn(onlyNamed(on, result)).has(fingerprint);
  }
}

/** Tests that pass, as if they did not: the one of a finding has its fingerprint then. */
const asIf = ({ tests }: CheckedTree, result: 'failed' | 'skipped'): CheckedTree => ({
  levels: [],
  tests: tests.map((list) => ({
    ...list,
    tests: list.tests.filter((test) => test.result === 'passed').map((test) => ({ ...test, result })),
  })),
});

/** A file that failed before any of its tests had a name is no test that could pass. */
const onlyNamed = ({ tests }: CheckedTree, result: 'failed' | 'skipped'): CheckedTree => ({
  levels: [],
  tests: tests.map((list) => ({
    ...list,
    tests: list.tests.filter((test) => test.name !== '' && test.result === result),
  })),
});
