import { expect, test } from 'vitest';
import { checkedTests } from '../../src/evidence/tests-of-checks.ts';
import { selectedTests } from '../../src/evidence/test-selection.ts';
import { ledgered, namedFlickering, withoutFlaky } from '../../src/evidence/test-turns.ts';

const named = (name: string, result: 'passed' | 'failed') => ({ file: 'a.test.js', name, occurrence: 1, result });
const listed = (result: 'passed' | 'failed', ...names: readonly string[]) =>
  new Map([['unit', { complete: true, tests: names.map((name) => named(name, result)) }]]);

const leg = { checks: [{ name: 'unit', passed: true }], tests: listed('passed', 'adds', 'waits') };
const tests = checkedTests(listed('failed', 'adds', 'waits'), leg, null);
const waits = { check: 'unit', tests: [{ file: 'a.test.js', name: 'waits', occurrence: 1 }] };

test('V12 a test of the ledger shows nothing where it turns, and is still demanded', () => {
  expect(ledgered(tests, [waits])).toEqual([waits]);
  expect(ledgered(tests, [{ ...waits, check: 'another' }])).toEqual([]);
  const [checked] = withoutFlaky(tests, [waits]);
  expect(checked?.turned.map(({ name }) => name)).toEqual(['adds']);
  const red = { checks: [{ name: 'unit', passed: false }], tests: listed('failed', 'waits') };
  const [lost] = withoutFlaky(checkedTests(listed('passed', 'waits'), red, null), [waits]);
  expect(lost?.lost.map(({ test: { name } }) => name)).toEqual(['waits']);
});

test('V12 flaky tests of one check are one entry, and of more than 100 the others are counted', () => {
  const many = {
    check: 'unit',
    tests: Array.from({ length: 100 }, (_, at) => ({ file: null, name: `t${at}`, occurrence: 1 })),
  };
  expect(namedFlickering([many, waits])).toEqual([{ ...many, more: 1 }]);
});

test('V12 tests are selected by their whole names, and not where a name is missing or there are too many', () => {
  const selected = selectedTests([named('sums > adds 1 + 1', 'failed'), named('keeps', 'failed')]);
  const pattern = new RegExp(selected?.pattern ?? '');
  const names = ['sums adds 1 + 1', 'sums > adds 1 + 1', 'keeps', 'sums adds 1 + 11', 'it keeps'];
  expect(names.map((name) => pattern.test(name))).toEqual([true, true, true, false, false]);
  expect(selected?.go).toBe('^(?:sums|keeps)$');
  expect(selectedTests([named('adds', 'failed'), named('', 'failed')])).toBe(null);
  expect(selectedTests(Array.from({ length: 201 }, (_, at) => named(`t${at}`, 'failed')))).toBe(null);
});
