import { type FlickeringTests, MAX_NAMED } from '../../machines/recorded-proof.ts';
import type { CheckedTests, ReportedTests } from './tests-of-checks.ts';
import { compareTests } from './compare-tests.ts';
import { keyOf, type TestResult } from './test-list.ts';

/** The tests of one check that failed at the start and pass with the work. */
export interface TurnedTests {
  readonly check: string;
  readonly tests: readonly TestResult[];
}

/** The checks that have such tests, and these. */
export const turnedTests = (tests: readonly CheckedTests[]): readonly TurnedTests[] =>
  tests.flatMap(({ check, turned }) => (turned.length === 0 ? [] : [{ check, tests: turned }]));

/** Picks those of tests that turned which pass in another run. */
export const stillTurned = (turned: readonly TurnedTests[], ran: ReportedTests): readonly TurnedTests[] =>
  turned.map(({ check, tests }) => {
    const failed = tests.map((test) => ({ ...test, result: 'failed' as const }));
    return { check, tests: compareTests({ tests: failed, complete: true }, ran.get(check) ?? null).turned };
  });

/** The tests that are among those that passed again, or not among them, as they are recorded. */
export function turnedOf(
  turned: readonly TurnedTests[],
  passed: readonly TurnedTests[],
  which: 'with' | 'without',
): readonly FlickeringTests[] {
  return turned.flatMap(({ check, tests }) => {
    const known = new Set(passed.filter((one) => one.check === check).flatMap((one) => one.tests.map(keyOf)));
    const some = tests.filter((test) => known.has(keyOf(test)) === (which === 'with'));
    return some.length === 0
      ? []
      : [{ check, tests: some.map(({ file, name, occurrence }) => ({ file, name, occurrence })) }];
  });
}

/** The tests of checks without those that turned by themselves: nothing shows that the work has turned them. */
export const withoutFlaky = (
  tests: readonly CheckedTests[],
  flaky: readonly FlickeringTests[],
): readonly CheckedTests[] =>
  tests.map((checked) => {
    const known = new Set(flaky.filter(({ check }) => check === checked.check).flatMap((one) => one.tests.map(keyOf)));
    return { ...checked, turned: checked.turned.filter((test) => !known.has(keyOf(test))) };
  });

/** Picks those of tests that turned which turned by themselves in earlier runs. */
export const ledgered = (
  tests: readonly CheckedTests[],
  ledger: readonly FlickeringTests[],
): readonly FlickeringTests[] => {
  const known = ledger.map(({ check, tests: own }) => ({ check, tests: own.map(asTurned) }));
  return turnedOf(turnedTests(tests), known, 'with');
};

const asTurned = (test: FlickeringTests['tests'][number]): TestResult => ({ ...test, result: 'failed' });

/** The first of each check by name, the others counted. One check may be named twice. */
export const namedFlickering = (found: readonly FlickeringTests[]): FlickeringTests[] =>
  [...Map.groupBy(found, ({ check }) => check)].map(([check, lists]) => {
    const tests = lists.flatMap((list) => list.tests);
    return {
      check,
      tests: tests.slice(0, MAX_NAMED),
      ...(tests.length > MAX_NAMED ? { more: tests.length - MAX_NAMED } : {}),
    };
  });
