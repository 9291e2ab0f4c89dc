import { type BaseTests, type FlickeringTests, MAX_NAMED } from '../../machines/recorded-proof.ts';
import type { ReportedTests, TestedLeg } from './tests-of-checks.ts';
import { keyOf, type TestList, type TestResult } from './test-list.ts';

/** Tests whose result differs between two runs of checks on the same files, or that only one of them has. */
export const flickeringTests = (first: ReportedTests, second: ReportedTests): FlickeringTests[] =>
  [...first].flatMap(([check, list]) => {
    const again = second.get(check);
    if (!again?.complete || !list.complete) return [];
    const tests = differing(list, again);
    return tests.length === 0 ? [] : [{ check, tests }];
  });

/** The checks that have come to the same in two runs, as have all of their tests. */
export const checksWithoutChange = (first: TestedLeg, second: TestedLeg): ReadonlySet<string> =>
  new Set(
    first.checks.flatMap(({ name, passed }) => {
      const [before, after] = [first.tests.get(name), second.tests.get(name)];
      const isSame = second.checks.some((check) => check.name === name && check.passed === passed);
      return isSame && before?.complete && after?.complete && differing(before, after).length === 0 ? [name] : [];
    }),
  );

function differing({ tests }: TestList, again: TestList): FlickeringTests['tests'] {
  const results = (list: readonly TestResult[]) => new Map(list.map((test) => [keyOf(test), test]));
  const [before, after] = [results(tests), results(again.tests)];
  return [...new Map([...before, ...after])].flatMap(([key, { file, name, occurrence }]) =>
    before.get(key)?.result === after.get(key)?.result ? [] : [{ file, name, occurrence }],
  );
}

/** The tests of each check without those that flicker: they are neither lost nor turned, whatever they do. */
export const withoutFlickering = (reported: ReportedTests, flickering: readonly FlickeringTests[]): ReportedTests =>
  new Map(
    [...reported].map(([check, { tests, ...more }]) => {
      const known = keysOf(check, flickering);
      return [check, { ...more, tests: tests.filter((test) => !known.has(keyOf(test))) }];
    }),
  );

/** The tests of a base, and those that flicker: as they are recorded, the first of each check alone are named. */
export interface RecordedBase {
  readonly tests: readonly BaseTests[];
  readonly flickering?: readonly FlickeringTests[] | undefined;
}

/** Names the first tests that flicker, counts the others, and marks those of them that the base has. */
export const recordedFlickering = (
  tests: readonly BaseTests[],
  found: readonly FlickeringTests[],
): { readonly tests: BaseTests[]; readonly flickering: FlickeringTests[] } => ({
  tests: tests.map((base) => {
    const all = found.find(({ check }) => check === base.check)?.tests ?? [];
    const unnamed = new Set(all.slice(MAX_NAMED).map(keyOf));
    const marked = (test: BaseTests['tests'][number]) =>
      unnamed.has(keyOf(test)) ? { ...test, flickers: true as const } : test;
    return unnamed.size === 0 ? base : { ...base, tests: base.tests.map(marked) };
  }),
  flickering: found.map(({ check, tests: all }) => ({
    check,
    tests: all.slice(0, MAX_NAMED),
    ...(all.length > MAX_NAMED ? { more: all.length - MAX_NAMED } : {}),
  })),
});

/** All tests known to flicker. `more`: of so many no name was recorded, because the base does not have them. */
export const knownFlickering = ({ tests, flickering = [] }: RecordedBase): FlickeringTests[] =>
  flickering.map(({ check, tests: named, more = 0 }) => {
    const marked = tests.filter((base) => base.check === check).flatMap((base) => base.tests.filter(isMarked));
    const unnamed = more - marked.length;
    return { check, tests: [...named, ...marked], ...(unnamed > 0 ? { more: unnamed } : {}) };
  });

const isMarked = ({ flickers }: BaseTests['tests'][number]): boolean => flickers === true;

/**
 * Whether a test that flickers has failed in a leg: on the same files, it may pass the next time. Where some have no
 * recorded name, any failed test of their check may be one.
 */
export const hasFlickered = ({ tests }: TestedLeg, flickering: readonly FlickeringTests[]): boolean =>
  flickering.some(({ check, more = 0 }) => {
    const known = keysOf(check, flickering);
    const failed = tests.get(check)?.tests.filter(({ result }) => result === 'failed') ?? [];
    return failed.some((test) => more > 0 || known.has(keyOf(test)));
  });

const keysOf = (check: string, flickering: readonly FlickeringTests[]): ReadonlySet<string> =>
  new Set(flickering.filter((one) => one.check === check).flatMap(({ tests }) => tests.map(keyOf)));
