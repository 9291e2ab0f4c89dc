import type { Dispute, FlickeringTests } from '../../machines/recorded-proof.ts';
import { type CheckedTests, checkedTests, type ReportedTests, type TestedLeg } from '../evidence/tests-of-checks.ts';
import { withoutFlickering } from '../evidence/flicker-tests.ts';
import { disputeAbout, type DisputeHow } from './dispute-work.ts';
import type { LegsSubject } from './legs-subject.ts';
import type { RanBoth } from './run-both.ts';
import { textOf } from '../git/object-text.ts';
import { mayHaveTests, testsWithin } from '../evidence/tests-in-sources.ts';
import { changedPaths, type NamedEntry } from './trees-by-path.ts';
import type { PreparedLegs } from './prepare-legs.ts';

export interface ComparedWork {
  /** The tests of the start that count: neither flickering ones, nor those in files whose changes are allowed. */
  readonly start: ReportedTests;
  readonly tests: readonly CheckedTests[];
  readonly dispute: Dispute | null;
  /** Files that are no grounds, and whose tests are others than those of the start. */
  readonly testsInSources: readonly string[];
}

export interface ComparedHow {
  /** Null: changed grounds are no person's to decide here. */
  readonly dispute: DisputeHow | null;
  /** The tests of the start as they were reported. */
  readonly reported: ReportedTests;
  /** Those whose result differs on the same files. */
  readonly flickering: readonly FlickeringTests[];
}

/** What became of the tests of the start, and whether a person has to decide about it. */
export async function comparedWork(
  { legs, first, second, lenient, grounds }: RanBoth,
  subject: LegsSubject,
  how: ComparedHow,
): Promise<ComparedWork> {
  const { reported, flickering } = how;
  const steady = <Leg extends TestedLeg>(leg: Leg) => ({ ...leg, tests: withoutFlickering(leg.tests, flickering) });
  const all = withoutFlickering(reported, flickering);
  const start = lenient ? lenient.without(all) : all;
  const tests = checkedTests(start, steady(first), second ? steady(second) : null);
  const dispute = how.dispute && (await disputeAbout({ first, second }, { start, tests }, subject, legs, how.dispute));
  return { start, tests, dispute, testsInSources: await changedTests(legs, grounds, reported) };
}

/**
 * The files that are no grounds, in which tests of the base lie, and whose tests are others in the first leg. One that
 * cannot be read as text is taken for such a file. `grounds`: all of them, also those whose changes count. Throws a
 * `GitError`.
 */
async function changedTests(
  { plan: { base, trees }, call }: Pick<PreparedLegs, 'plan' | 'call'>,
  grounds: ReadonlySet<string>,
  reported: ReportedTests,
): Promise<readonly string[]> {
  const [first] = trees;
  const mayHave = mayHaveTests(reported);
  const found: string[] = [];
  for (const path of changedPaths(base, first)) {
    const before = base.get(path);
    if (!before || grounds.has(path) || first.get(path)?.hash === before.hash || !mayHave(path)) continue;
    const after = first.get(path);
    const [was, is] = await Promise.all([within(path, before), after ? within(path, after) : '']);
    if (was === null || was !== is) found.push(path);
  }
  return found.toSorted();

  async function within(path: string, { hash }: NamedEntry): Promise<string | null> {
    const text = await textOf(hash, call);
    return text === null ? null : testsWithin(path, text);
  }
}
