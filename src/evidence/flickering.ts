import { type BaseTests, type FlickeringTests, MAX_NAMED } from '../../machines/recorded-proof.ts';
import { basedOn } from './base-tests.ts';
import type { ReportedTests, TestedLeg } from './checked-tests.ts';
import { keyOf, type TestList, type TestResult } from './test-list.ts';

/** Tests whose result differs between two runs of checks on the same files, or that only one of them has. */
export const flickeringTests = (first: ReportedTests, second: ReportedTests): FlickeringTests[] =>
  [...first].flatMap(([check, list]) => {
    const again = second.get(check);
    if (!again?.complete || !list.complete) return [];
    const tests = differing(list, again).slice(0, MAX_NAMED);
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
    [...reported].map(([check, { tests, complete }]) => {
      const known = keysOf(check, flickering);
      return [check, { complete, tests: tests.filter((test) => !known.has(keyOf(test))) }];
    }),
  );

/** The same of what was recorded on the base. */
export const steadyBase = ({ tests, flickering = [] }: RecordedBase): ReportedTests =>
  withoutFlickering(basedOn(tests), flickering);

interface RecordedBase {
  readonly tests: readonly BaseTests[];
  readonly flickering?: readonly FlickeringTests[] | undefined;
}

/** Whether a test that flickers has failed in a leg: on the same files, it may pass the next time. */
export const hasFlickered = ({ tests }: TestedLeg, flickering: readonly FlickeringTests[]): boolean =>
  [...tests].some(([check, list]) => {
    const known = keysOf(check, flickering);
    return list.tests.some((test) => test.result === 'failed' && known.has(keyOf(test)));
  });

const keysOf = (check: string, flickering: readonly FlickeringTests[]): ReadonlySet<string> =>
  new Set(flickering.filter((one) => one.check === check).flatMap(({ tests }) => tests.map(keyOf)));
