import { expect, test } from 'vitest';
import { listedTests } from '../../../src/actors/verify/test-listing.ts';
import type { TestList } from '../../../src/evidence/test-list.ts';
import { jestJson, pytestXml } from './reports.ts';

const PLACE = { directory: '/place/lib', tops: ['/place'] };
const NONE = { reported: null, printed: null, written: null, ...PLACE };
const named = (list: TestList | null) => list?.tests.map(({ file, name, result }) => `${file}: ${name}: ${result}`);

test('V4 other runners: tests are those of a printed report, or of the file of the check', () => {
  expect(named(listedTests({ ...NONE, printed: `some words\n${jestJson}` }))).toEqual([
    'sums.test.js: sums > adds: passed',
    'sums.test.js: sums > of two > subtracts: failed',
    'sums.test.js: sums > divides: skipped',
    'sums.test.js: sums > roots: skipped',
    'broken.test.js: : failed',
  ]);
  expect(named(listedTests({ ...NONE, written: pytestXml }))?.[0]).toBe(
    'null: pytest > tests.test_sums.TestSums > test_adds: passed',
  );
  expect(named(listedTests({ ...NONE, printed: 'TAP version 14\nok 1 - adds\n1..1\n' }))).toEqual([
    'null: adds: passed',
  ]);
  expect(listedTests({ ...NONE, printed: 'no report' })).toBeNull();
});

test('V4 a printed report does not count where a runner has reported to us', () => {
  const reported: TestList = { tests: [], complete: true };
  expect(listedTests({ ...NONE, reported, printed: 'TAP version 14\nok 1 - adds\n1..1\n' })).toEqual(reported);
});

test('V17 tests of a runner that has files as groups, such as tap, are of these files', () => {
  const printed = [
    'TAP version 13',
    '# Subtest: test/sum.js',
    '    # Subtest: adds',
    '        1..1',
    '        ok 1 - two numbers',
    '    ok 1 - adds',
    '    1..1',
    'ok 1 - test/sum.js',
    'not ok 2 - test/broken.js',
    '1..2',
  ].join('\n');
  const found = listedTests({ reported: null, printed, written: null, directory: '/work', tops: ['/work'] });
  expect(found?.tests.map(({ file, name, result }) => [file, name, result])).toEqual([
    ['test/sum.js', 'adds > two numbers', 'passed'],
    ['test/broken.js', '', 'failed'],
  ]);
});

test('V17 lines for each test count where there is no report, and their names have no folder of the check', () => {
  const lines = 'ok /place/lib/a.sh\n1 test passed\n';
  expect(named(listedTests({ ...NONE, printed: lines }))).toEqual(['null: a.sh: passed']);
  expect(named(listedTests({ ...NONE, printed: lines, written: pytestXml }))?.[0]).toMatch(/^null: pytest > /);
  const pytest = 'test/a.py::test_adds PASSED [100%]\n1 passed in 0.1s\n';
  expect(named(listedTests({ ...NONE, printed: pytest }))).toEqual(['lib/test/a.py: test_adds: passed']);
  const ctest = 'Test project /place/lib\n1/1 Test #1: adds ...   Passed    0.01 sec\n';
  expect(listedTests({ ...NONE, printed: `${ctest}100% tests passed, 0 tests failed out of 1\n` })).toMatchObject({
    tests: [{ name: 'adds' }],
    complete: true,
  });
});
