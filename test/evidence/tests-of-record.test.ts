import { fc } from '../support/fast-check.ts';
import { expect, test } from 'vitest';
import { MAX_NAMED, RecordedProof } from '../../machines/recorded-proof.ts';
import { baseTests, basedOn } from '../../src/evidence/base-tests.ts';
import { checkedTests } from '../../src/evidence/tests-of-checks.ts';
import { recordedTests, unreportedChecks } from '../../src/evidence/tests-of-record.ts';
import type { TestResult } from '../../src/evidence/test-list.ts';

const result = (name: string, how: TestResult['result'], occurrence = 1): TestResult => ({
  file: 'a.test.js',
  name,
  occurrence,
  result: how,
});
const list = (...tests: readonly TestResult[]) => new Map([['unit', { tests, complete: true }]]);
const leg = (...tests: readonly TestResult[]) => ({ checks: [{ name: 'unit', passed: true }], tests: list(...tests) });

test('V4 what is recorded of a base says of every work what the base itself would say', () => {
  const results = fc.array(
    fc.record({
      file: fc.constantFrom(null, 'a.test.js'),
      name: fc.constantFrom('one', 'two', ''),
      occurrence: fc.integer({ min: 1, max: 2 }),
      result: fc.constantFrom('passed', 'failed', 'skipped'),
      message: fc.constant('because'),
    }),
  );
  fc.assert(
    fc.property(results, results, (before, after) => {
      const base = list(...before);
      const recorded = checkedTests(basedOn(baseTests(base)), leg(...after), null);
      const known = checkedTests(base, leg(...after), null);
      expect(recordedTests(recorded)).toEqual(recordedTests(known));
    }),
  );
});

test('V4 a base of more tests than are recorded is one that names none', () => {
  const many = Array.from({ length: 20_001 }, (_, index) => result('adds', 'passed', index + 1));
  expect(baseTests(list(...many))).toEqual([]);
  expect(baseTests(list(...many.slice(1)))).toHaveLength(1);
});

test('V4 of each kind the first are named, and all are counted', () => {
  const names = Array.from({ length: MAX_NAMED + 5 }, (_, index) => `test ${index}`);
  const red = names.map((name) => result(name, 'failed'));
  const green = names.map((name) => result(name, 'passed'));
  const [turned] = recordedTests(checkedTests(list(...red), leg(...green), null));
  expect(turned).toMatchObject({ turnedCount: MAX_NAMED + 5, kept: 0, lostCount: 0 });
  const [lost] = recordedTests(checkedTests(list(...green), leg(), null));
  expect(lost).toMatchObject({ lostCount: MAX_NAMED + 5, turnedCount: 0 });
  expect(RecordedProof.shape.tests.safeParse([turned, lost]).success).toBe(true);
});

test('V5 a check that runs the work and names no test is told, one that only reads is not', () => {
  const checks = ['unit', 'lint', 'make'].map((name) => ({ name, passed: true }));
  const tests = list(result('adds', 'passed'));
  expect(unreportedChecks({ checks, tests }, new Set(['lint']), new Map())).toEqual(['make']);
});

test('V17 a step that names no test is not told where another step of its check names one', () => {
  const checks = ['unit: lint', 'unit', 'make: a', 'make: b'].map((name) => ({ name, passed: true }));
  const tests = list(result('adds', 'passed'));
  const stepOf = new Map(checks.map(({ name }) => [name, name.split(':')[0] ?? '']));
  expect(unreportedChecks({ checks, tests }, new Set(), stepOf)).toEqual(['make: a', 'make: b']);
});
