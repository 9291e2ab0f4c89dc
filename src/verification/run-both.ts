import { MAX_NAMED } from '../../machines/recorded-proof.ts';
import { withoutTestsOf } from '../evidence/grounds-allowance.ts';
import type { ReportedTests } from '../evidence/tests-of-checks.ts';
import { ranSecond } from './dispute-work.ts';
import type { PlannedLegs } from './plan-legs.ts';
import type { LegsSubject } from './legs-subject.ts';
import type { PreparedLegs } from './prepare-legs.ts';
import { FIRST_LEG } from './proof-places.ts';
import { type CheckedHow, passes, type RanTree, ranTree } from './check-tree.ts';

export interface RanBoth {
  /** With the plan that the first leg went by. */
  readonly legs: PreparedLegs;
  readonly first: RanTree;
  /** Absent: it did not run. */
  readonly second: RanTree | undefined;
  /** Null: the first leg has all grounds of the base. */
  readonly lenient: Allowed | null;
  /** What the checks rest on, by path: also what the plan of a lenient first leg does not hold to the base. */
  readonly grounds: PlannedLegs['grounds'];
}

/** Changed grounds that the run was started to let count, and that the first leg fails without. */
export interface Allowed {
  readonly paths: readonly string[];
  /** The tests of a start that are in other files. */
  readonly without: (start: ReportedTests) => ReportedTests;
}

/**
 * The checks on the work with the grounds of its base, and where that says something, as it is. Where they fail with
 * the grounds of the base, the first leg runs again with those of the work whose changes were allowed before.
 * Null: told to stop.
 */
export async function ranBoth(subject: LegsSubject, legs: PreparedLegs, given: CheckedHow): Promise<RanBoth | null> {
  const how = { ...given, keepsOutput: true };
  const strict = await ranTree(FIRST_LEG, legs.plan.first, legs, how);
  if (strict === null) return null;
  const lenient = passes(strict.levels) ? null : await withAllowed(legs);
  const first = lenient ? await ranTree(FIRST_LEG, lenient.legs.plan.first, lenient.legs, how) : strict;
  if (first === null) return null;
  const by = lenient?.legs ?? legs;
  const second = subject.asked?.legs === 'base' ? undefined : await ranSecond(subject, by, how);
  if (second === null) return null;
  return { legs: by, first, second, lenient: lenient?.allowed ?? null, grounds: legs.plan.grounds };
}

/** The legs with allowed changes in the first one. Null: the work has none. */
export async function withAllowed<Legs extends Pick<PreparedLegs, 'plan' | 'planAllowed'>>(
  legs: Legs,
): Promise<{ readonly legs: Legs; readonly allowed: Allowed } | null> {
  const plan = await legs.planAllowed();
  if (plan === null || plan.first === legs.plan.first) return null;
  const kept = new Set(plan.changes.map(({ path }) => path));
  const files = legs.plan.changes.map(({ path }) => path).filter((path) => !kept.has(path));
  const areAll = plan.changes.length === 0;
  const without = (start: ReportedTests) => withoutTestsOf(start, { files, areAll });
  return { legs: { ...legs, plan }, allowed: { paths: files.slice(0, MAX_NAMED), without } };
}
