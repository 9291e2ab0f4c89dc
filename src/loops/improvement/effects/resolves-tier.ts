import { Level } from '../../../../machines/events.ts';
import type { AcceptanceTest, Discovery } from '../../../../machines/improvement-facts.ts';
import { baseTests } from '../../../evidence/base-tests.ts';
import type { GitCall } from '../../../git/process/git.ts';
import { textOf } from '../../../git/object-text.ts';
import type { TreeChange } from '../../../git/tree-change.ts';
import { type CheckedTree, failingTests } from '../discovery/baseline-tests.ts';
import { discoveryOf } from '../discovery/finding-facts.ts';
import { type FoundIn, type Resolved, resolvedByChecks, type Resolving } from '../evaluation/resolve-by-checks.ts';
import { type ChangedText, resolvedTodo } from '../evaluation/todo-change.ts';
import type { LegsSubject } from '../../../verification/legs-subject.ts';
import { type CheckedHow, type RanTree, ranTree } from '../../../verification/check-tree.ts';
import type { Baseline } from '../../../verification/work-proof.ts';
import type { Tier } from './candidate-tier.ts';
import type { CheckedCandidate } from './check-candidate.ts';

interface ResolvesHow extends CheckedHow {
  readonly discovery: Discovery;
  readonly baseline: Baseline;
  readonly foundIn: FoundIn;
  /** What the candidate changes on the head. */
  readonly changes: readonly TreeChange[];
  /** The test that was written first. Null: there is none. */
  readonly acceptance: AcceptanceTest | null;
}

/**
 * Whether the finding that a candidate is for is gone. A test has to pass twice, and to fail on the head once more: a
 * flickering one passes now and then. Null: told to stop. Throws a `GitError`.
 */
export async function resolvesTier(
  subject: LegsSubject,
  checked: CheckedCandidate,
  how: ResolvesHow,
): Promise<Tier | null> {
  const resolved = await resolvedBy(subject, checked, how);
  if (resolved === null) return null;
  const { isGone, detail, flickers = false } = resolved;
  const tier = { tier: 'resolves', kind: 'resolves' as const, passed: isGone !== false, detail };
  return flickers ? { ...tier, flickered: [how.discovery.title] } : tier;
}

async function resolvedBy(subject: LegsSubject, checked: CheckedCandidate, how: ResolvesHow): Promise<Resolved | null> {
  const { discovery, acceptance, changes } = how;
  if (discovery.source === 'benchmarks') return { isGone: null, detail: 'measured by its benchmark' };
  if (discovery.source === 'todos') {
    const resolved = resolvedTodo(discovery, await changedTexts(changes, subject.origin.prefix, checked.legs.call));
    if (!resolved.isGone || acceptance === null) return resolved;
  }
  return shownByChecks(subject, checked, how, acceptance ? testsOf(acceptance) : [discovery]);
}

/** The tests of an acceptance test that failed on the head, as findings of failing tests. */
const testsOf = ({ check, red }: AcceptanceTest): readonly Discovery[] =>
  failingTests({
    levels: [],
    tests: [{ check, complete: true, tests: red.map((test) => ({ ...test, result: 'failed' as const })) }],
  }).map(discoveryOf);

/** By the checks that ran already, and for tests by one more run of them, and one on the head. */
async function shownByChecks(
  subject: LegsSubject,
  checked: CheckedCandidate,
  how: ResolvesHow,
  findings: readonly Discovery[],
): Promise<Resolved | null> {
  const { baseline, foundIn } = how;
  const { restored, whole, legs, proof } = checked;
  const once = {
    head: baseline,
    restored: [treeOf(restored.ran)],
    whole: [treeOf((whole ?? restored).ran)],
    foundIn,
    suppressions: proof.suppressions ?? 0,
  };
  const told = (trees: typeof once): Resolved => allResolved(findings, trees);
  const resolved = told(once);
  const [first] = findings;
  if (!resolved.isGone || !first?.source.endsWith('tests')) return resolved;
  const theSame = { ...how, checks: upTo(first.check, how.checks), runsAll: true };
  const [leg, tree] = whole ? (['work', subject.work] as const) : (['base', legs.plan.first] as const);
  const again = await ranTree(leg, tree, legs, theSame);
  if (again === null) return null;
  const twice = [...once.whole, treeOf(again)];
  const steady = told({ ...once, whole: twice, ...(whole ? {} : { restored: twice }) });
  if (!steady.isGone || first.source !== 'failing-tests') return steady;
  // A test that fails now and then, and did on the head, passes after any change.
  const onHead = await ranTree('head', subject.base, legs, theSame);
  if (onHead === null) return null;
  const head = [treeOf(onHead)];
  const isGone = told({ ...once, restored: head, whole: head, suppressions: 0 }).isGone;
  return isGone
    ? { isGone: false, detail: `it passes on the head, too, when it runs again: ${first.title}`, flickers: true }
    : steady;
}

/** Of several findings all have to be gone. The first that is not says why. */
function allResolved(findings: readonly Discovery[], trees: Omit<Resolving, 'discovery'>): Resolved {
  const all = findings.map((discovery) => resolvedByChecks({ discovery, ...trees }));
  const left = all.find(({ isGone }) => !isGone);
  return left ?? all[0] ?? { isGone: null, detail: 'no check can tell whether it is resolved' };
}

const treeOf = ({ levels, tests }: RanTree): CheckedTree => ({ levels, tests: baseTests(tests) });

/** One check may build what another one runs. */
function upTo(name: string | undefined, checks: CheckedHow['checks']): CheckedHow['checks'] {
  const last = checks.find((check) => check.name === name);
  return last
    ? checks.filter(({ level }) => Level.options.indexOf(level) <= Level.options.indexOf(last.level))
    : checks;
}

/** A path from the top of the repository as it is from the workspace, whose folder is the prefix. */
export const fromWorkspace = (path: string, prefix: string): string =>
  path.startsWith(prefix) ? path.slice(prefix.length) : path;

/** By their paths from the workspace, as findings have them. */
const changedTexts = (changes: readonly TreeChange[], prefix: string, call: GitCall): Promise<readonly ChangedText[]> =>
  Promise.all(
    changes.map(async ({ path, before, after }) => {
      const text = async (entry: TreeChange['before']) =>
        entry?.mode.startsWith('100') ? textOf(entry.hash, call) : null;
      return { path: fromWorkspace(path, prefix), before: await text(before), after: await text(after) };
    }),
  );
