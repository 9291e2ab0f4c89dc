import { compareTests, type TestChange } from './compare-tests.ts';
import type { EndedRun } from './run-crash.ts';
import type { TestList } from './test-list.ts';

/** The tests of each check by name; a check that reported none is absent. */
export type ReportedTests = ReadonlyMap<string, TestList>;

/** A check of a leg, by name, and how it went. */
export interface LegCheck {
  readonly name: string;
  readonly passed: boolean;
}

/** What became of the tests of one check. */
export interface CheckedTests extends TestChange {
  readonly check: string;
  /** Passed on the work with the grounds of its start. */
  readonly passed: boolean;
  /** Its runner reported there. */
  readonly reported: boolean;
  /** Where it ended before its end. Absent: nowhere. */
  readonly ended?: readonly EndedRun[];
}

/** One leg of a proof. */
export interface TestedLeg {
  readonly checks: readonly LegCheck[];
  readonly tests: ReportedTests;
}

/**
 * Compares the tests of each check of the first leg with those that it had at the start. The second leg has to report,
 * too, and has the new ones. Where lines of the start were read, and none are now, the work may print among them: its
 * check names no test then.
 */
export function checkedTests(
  start: ReportedTests,
  first: TestedLeg,
  second: TestedLeg | null,
): readonly CheckedTests[] {
  const isUnread = (name: string, leg: TestedLeg) => start.get(name)?.printed === true && !leg.tests.has(name);
  const alsoMissing = new Set(
    second?.checks.flatMap(({ name, passed }) => {
      const { zero, reportMissing } = compareTests(start.get(name) ?? null, second.tests.get(name) ?? null);
      return passed && (zero || reportMissing) && !isUnread(name, second) ? [name] : [];
    }),
  );
  return first.checks.flatMap(({ name, passed }) => {
    const [before, after] = [start.get(name) ?? null, first.tests.get(name) ?? null];
    if (before === null && after === null && !alsoMissing.has(name)) return [];
    const change = compareTests(before, after);
    const { fresh } = second ? compareTests(before, second.tests.get(name) ?? null) : change;
    const reportMissing = (change.reportMissing && !isUnread(name, first)) || alsoMissing.has(name);
    return [{ check: name, passed, reported: after !== null, ...change, fresh, reportMissing, ...endedIn(after) }];
  });
}

/** A file that failed outside of every test has ended, too. */
function endedIn(list: TestList | null): Pick<CheckedTests, 'ended'> {
  const known = list?.ended ?? [];
  const files = (list?.tests ?? []).flatMap(({ file, name, result, message: said = null }) =>
    name === '' && result === 'failed' && file !== null && !known.some((one) => one.file === file)
      ? [{ file, name, within: 'file' as const, said }]
      : [],
  );
  return known.length + files.length > 0 ? { ended: [...known, ...files] } : {};
}

/** Tests of the start that do not pass now; of a check that failed, without those that still fail. */
export const lostOf = ({ passed, lost, stillRed }: Pick<CheckedTests, 'passed' | 'lost' | 'stillRed'>) =>
  passed ? [...lost, ...stillRed] : lost;

/** A check passed without a test that it had, or that failed at the start; or a test of a failing check is lost. */
export const hasLostTests = (checked: CheckedTests): boolean =>
  checked.reported && (lostOf(checked).length > 0 || (checked.passed && checked.zero));

/** A check passed, and its runner did not say that these were all its tests. */
export const lacksReport = ({ passed, reportMissing }: CheckedTests): boolean => passed && reportMissing;
