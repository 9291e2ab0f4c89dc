import { expect, test } from 'vitest';
import { failingTests, skippedTests } from '../../../../src/loops/improvement/discovery/baseline-tests.ts';
import { discoveryOf } from '../../../../src/loops/improvement/discovery/finding-facts.ts';

const named = (name: string, result: 'passed' | 'failed' | 'skipped', occurrence = 1) => ({
  file: 'test/sum.test.js',
  name,
  occurrence,
  result,
});
const reported = (check: string, failing: readonly { name: string; message: string }[]) => ({
  name: check,
  passed: false,
  output: '',
  exitCode: 1,
  durationMs: 1,
  tests: { format: 'tap' as const, passed: 0, failed: failing.length, skipped: 0, failing: [...failing] },
});

const TREE = {
  levels: [
    {
      level: 'L1' as const,
      passed: false,
      checks: [
        reported('unit', [{ name: 'adds', message: 'expected 3, got -1' }]),
        reported('e2e', [{ name: 'opens', message: 'no page' }]),
      ],
    },
  ],
  tests: [
    {
      check: 'unit',
      complete: true,
      tests: [named('adds', 'failed'), named('waits', 'failed'), named('divides', 'skipped'), named('runs', 'passed')],
    },
  ],
  flickering: [{ check: 'unit', tests: [{ file: 'test/sum.test.js', name: 'waits', occurrence: 1 }] }],
};

test('I6 I9 a failing test counts 1, with its message; one that flickers is left out', () => {
  const found = failingTests(TREE);
  expect(found.map(({ title, score, check, file }) => ({ title, score, check, file }))).toEqual([
    { title: 'Test fails: adds', score: 1, check: 'unit', file: 'test/sum.test.js' },
    { title: 'Test fails: opens', score: 1, check: 'e2e', file: undefined },
  ]);
  expect(found[0]?.summary).toContain('expected 3, got -1');
});

test('I9 a test file that fails outside of its tests is named by its path', () => {
  const tests = [{ check: 'unit', complete: true, tests: [named('', 'failed')] }];
  const [found] = failingTests({ ...TREE, tests, flickering: [] });
  expect(found).toMatchObject({
    title: 'Test file fails: test/sum.test.js',
    summary: 'The test file test/sum.test.js, outside of its tests, fails (check unit).',
  });
});

test('I6 I9 a skipped test counts 0.65', () => {
  expect(skippedTests(TREE)).toMatchObject([
    { title: 'Test is skipped: divides', score: 0.65, source: 'skipped-tests' },
  ]);
});

test('I9 a test that fails with another message is the same finding, and another test of its name is not', () => {
  const [one] = failingTests(TREE).map(discoveryOf);
  const [check] = TREE.levels[0]?.checks ?? [];
  const other = {
    ...TREE,
    levels: [
      {
        level: 'L1' as const,
        passed: false,
        checks: [{ ...check, ...reported('unit', [{ name: 'adds', message: 'boom' }]) }],
      },
    ],
  };
  const [again] = failingTests(other).map(discoveryOf);
  expect(again?.summary).not.toBe(one?.summary);
  expect(again?.id).toBe(one?.id);
  const second = { ...TREE, tests: [{ check: 'unit', complete: true, tests: [named('adds', 'failed', 2)] }] };
  expect(failingTests(second).map(discoveryOf)[0]?.id).not.toBe(one?.id);
});
