import { Level } from '../../../../machines/events.ts';
import type { Discovery } from '../../../../machines/improvement-facts.ts';
import { baseTests } from '../../../evidence/base-tests.ts';
import type { GitCall } from '../../../actors/workspace/git.ts';
import { textOf } from '../../../actors/workspace/proof-repository.ts';
import type { TreeChange } from '../../../actors/workspace/tree-change.ts';
import type { CheckedTree } from '../../../loops/improvement/discovery/baseline-tests.ts';
import { type FoundIn, type Resolved, resolvedByChecks } from '../../../loops/improvement/evaluation/resolved.ts';
import { type ChangedText, resolvedTodo } from '../../../loops/improvement/evaluation/resolved-todo.ts';
import type { LegsSubject } from '../proof/prepared-legs.ts';
import { type CheckedHow, type RanTree, ranTree } from '../proof/ran-tree.ts';
import type { Baseline } from '../proof/work-proof.ts';
import type { Tier } from './candidate-tier.ts';
import type { CheckedCandidate } from './checked-candidate.ts';

interface ResolvesHow extends CheckedHow {
  readonly discovery: Discovery;
  readonly baseline: Baseline;
  readonly foundIn: FoundIn;
  /** What the candidate changes on the head. */
  readonly changes: readonly TreeChange[];
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
  const { discovery, baseline, foundIn, changes } = how;
  if (discovery.source === 'benchmarks') return { isGone: null, detail: 'measured by its benchmark' };
  if (discovery.source === 'todos') return resolvedTodo(discovery, await changedTexts(changes, checked.legs.call));
  const { restored, whole, legs, proof } = checked;
  const once = {
    discovery,
    head: baseline,
    restored: [treeOf(restored.ran)],
    whole: [treeOf((whole ?? restored).ran)],
    foundIn,
    suppressions: proof.suppressions ?? 0,
  };
  const resolved = resolvedByChecks(once);
  if (!resolved.isGone || !discovery.source.endsWith('tests')) return resolved;
  const theSame = { ...how, checks: upTo(discovery.check, how.checks), runsAll: true };
  const [leg, tree] = whole ? (['work', subject.work] as const) : (['base', legs.plan.first] as const);
  const again = await ranTree(leg, tree, legs, theSame);
  if (again === null) return null;
  const twice = [...once.whole, treeOf(again)];
  const steady = resolvedByChecks({ ...once, whole: twice, ...(whole ? {} : { restored: twice }) });
  if (!steady.isGone || discovery.source !== 'failing-tests') return steady;
  // A test that fails now and then, and did on the head, passes after any change.
  const onHead = await ranTree('head', subject.base, legs, theSame);
  if (onHead === null) return null;
  const head = [treeOf(onHead)];
  const isGone = resolvedByChecks({ ...once, restored: head, whole: head, suppressions: 0 }).isGone;
  return isGone
    ? { isGone: false, detail: `it passes on the head, too, when it runs again: ${discovery.title}`, flickers: true }
    : steady;
}

const treeOf = ({ levels, tests }: RanTree): CheckedTree => ({ levels, tests: baseTests(tests) });

/** One check may build what another one runs. */
function upTo(name: string | undefined, checks: CheckedHow['checks']): CheckedHow['checks'] {
  const last = checks.find((check) => check.name === name);
  return last
    ? checks.filter(({ level }) => Level.options.indexOf(level) <= Level.options.indexOf(last.level))
    : checks;
}

const changedTexts = (changes: readonly TreeChange[], call: GitCall): Promise<readonly ChangedText[]> =>
  Promise.all(
    changes.map(async ({ path, before, after }) => {
      const text = async (entry: TreeChange['before']) =>
        entry?.mode.startsWith('100') ? textOf(entry.hash, call) : null;
      return { path, before: await text(before), after: await text(after) };
    }),
  );
