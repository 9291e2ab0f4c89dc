import { expect, test } from 'vitest';
import { listedTests } from '../../../src/actors/verify/listed-tests.ts';
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
