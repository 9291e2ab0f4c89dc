import type { EventOf } from '../../machines/events.ts';
import { MAX_NAMED, type RecordedProof } from '../../machines/recorded-proof.ts';
import { checkOfStep } from '../evidence/steps/with-steps.ts';
import { recordedTests, turnedReading, unreportedChecks } from '../evidence/tests-of-record.ts';
import { unplacedChecks } from '../evidence/tests-without-files.ts';
import type { ComparedWork } from './compare-work.ts';
import type { LegsSubject } from './legs-subject.ts';
import { changedPaths } from './trees-by-path.ts';
import type { PlannedLegs } from './plan-legs.ts';
import { FIRST_LEG, SECOND_LEG } from './proof-places.ts';
import type { Rested } from './surroundings.ts';
import type { RanBoth } from './run-both.ts';
import { type CheckedHow, passes, type RanTree } from './check-tree.ts';

export type Baseline = EventOf<'baseline.taken'>['payload'];

interface RanWork extends RanBoth, ComparedWork {
  readonly subject: LegsSubject;
  readonly policy: Pick<CheckedHow, 'checks' | 'stepped'> & { readonly baseline: Baseline | null };
  readonly rested: Rested;
}

/** What a verification rests on, as it is recorded. */
export function workProof({
  subject,
  legs,
  policy,
  first,
  second,
  lenient,
  rested,
  grounds,
  ...compared
}: RanWork): RecordedProof {
  const { tests, dispute, testsInSources } = compared;
  const { plan, obstacle } = legs;
  const unplaced = unplacedChecks(first, plan.reading, plan.places, changedSources(plan, grounds));
  return {
    base: subject.base,
    legs: [
      { leg: FIRST_LEG, tree: plan.first, passed: passes(first.levels) },
      ...(second ? [{ leg: SECOND_LEG, tree: subject.work, passed: passes(second.levels) }] : []),
    ],
    grounds: plan.changes.slice(0, MAX_NAMED).map(({ path, how: done, keys }) => ({
      path,
      how: done,
      ...(keys ? { keys: [...keys] } : {}),
    })),
    groundsChanged: plan.changes.length,
    ...inheritedIn(plan, subject),
    walls: obstacle === null ? 'full' : 'none',
    ...(obstacle === null ? {} : { wallsMissing: obstacle }),
    ...rested,
    pointersHome: new Set([...first.pointers, ...(second?.pointers ?? [])]).size,
    ...(dispute ? { dispute } : {}),
    ...(lenient ? { allowed: [...lenient.paths] } : {}),
    ...(subject.asked?.legs === 'base' && plan.first !== subject.work ? { oneLeg: true } : {}),
    turnedChecks: turnedReading(policy.baseline?.levels ?? [], first, plan.reading),
    ...touchedBy(first, policy.baseline),
    suppressions: Math.max(0, plan.suppressions),
    testsInSources: testsInSources.slice(0, MAX_NAMED),
    networked: policy.checks.flatMap(({ name, network }) => (network ? [name] : [])),
    tests: recordedTests(tests),
    unreported: unreportedChecks(first, plan.reading, checkOfStep(policy.stepped?.cut)),
    ...(unplaced.length > 0 ? { unplaced } : {}),
    unchanged: policy.baseline?.passed === true && subject.work === (subject.start ?? subject.base),
  };
}

/** Changed grounds that an earlier run changed: of this run, or of both. */
function inheritedIn(
  { changes }: PlannedLegs,
  { inherited = [] }: Pick<LegsSubject, 'inherited'>,
): Pick<RecordedProof, 'inherited'> {
  const known = new Set(inherited);
  const found = changes.map(({ path }) => path).filter((path) => known.has(path));
  return found.length === 0 ? {} : { inherited: found.slice(0, MAX_NAMED) };
}

/** Files of the first leg that are no grounds, and are not as the run began with them. */
function changedSources({ base, trees: [first] }: PlannedLegs, grounds: ReadonlySet<string>): readonly string[] {
  const isChanged = (path: string) => base.get(path)?.hash !== first.get(path)?.hash;
  return [...changedPaths(base, first)].filter((path) => !grounds.has(path) && isChanged(path));
}

/** What the checks of the base write to themselves is their own affair. */
function touchedBy({ touched }: RanTree, baseline: Baseline | null): Pick<RecordedProof, 'touched'> {
  const before = new Set(baseline?.touched);
  const own = touched.filter((path) => !before.has(path));
  return own.length === 0 ? {} : { touched: own.slice(0, MAX_NAMED) };
}
