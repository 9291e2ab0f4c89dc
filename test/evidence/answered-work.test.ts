import { describe, expect, test } from 'vitest';
import { checkedTests, type TestedLeg } from '../../src/evidence/tests-of-checks.ts';
import { isAnswered } from '../../src/evidence/dispute.ts';
import type { TestList, TestResult } from '../../src/evidence/test-list.ts';

const list = (result: TestResult['result'], complete = true): TestList => ({
  complete,
  tests: [{ file: 'a.test.js', name: 'adds', occurrence: 1, result }],
});
const leg = (passed: boolean, tests: TestList | null): TestedLeg => ({
  checks: [{ name: 'unit', passed }],
  tests: new Map(tests ? [['unit', tests]] : []),
});
const START = new Map([['unit', list('passed')]]);
const answered = (first: TestedLeg, second: TestedLeg, start = START) =>
  isAnswered(start, checkedTests(start, first, second), second);
const GREEN = leg(true, list('passed'));

describe('V14 work that passes with its own grounds alone is for a person', () => {
  test.each<[what: string, first: TestedLeg]>([
    ['a test', leg(false, list('failed'))],
    ['coverage below its threshold', leg(false, list('passed'))],
    ['a compiler, before any test', leg(false, null)],
    ['what ends before the report', leg(false, list('passed', false))],
  ])('V14 whatever fails without them: %s', (_what, first) => expect(answered(first, GREEN)).toBe(true));

  test.each<[what: string, second: TestedLeg]>([
    ['fails', leg(false, list('passed'))],
    ['skips its tests', leg(true, list('skipped'))],
    ['reports no test', leg(true, null)],
    ['ends before the report does', leg(true, list('passed', false))],
  ])('V14 but for work that %s', (_what, second) => expect(answered(leg(false, list('failed')), second)).toBe(false));

  test('V14 a check that passes without a report of its tests does not send the work to a person', () =>
    expect(answered(leg(true, null), GREEN)).toBe(false));
});
