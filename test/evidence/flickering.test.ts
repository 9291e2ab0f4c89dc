import { expect, test } from 'vitest';
import { MAX_NAMED } from '../../machines/recorded-proof.ts';
import { beginningText } from '../../src/evidence/start-text.ts';
import { baseTests, basedOn } from '../../src/evidence/base-tests.ts';
import { checkedTests } from '../../src/evidence/tests-of-checks.ts';
import {
  checksWithoutChange,
  flickeringTests,
  hasFlickered,
  knownFlickering,
  recordedFlickering,
  withoutFlickering,
} from '../../src/evidence/flicker-tests.ts';
import type { TestResult } from '../../src/evidence/test-list.ts';

type Results = Readonly<Record<string, TestResult['result']>>;

const reported = (results: Results, complete = true) => {
  const tests = Object.entries(results).map(([name, result]) => ({ file: 'a.js', name, occurrence: 1, result }));
  return new Map([['unit', { tests, complete }]]);
};
const leg = (results: Results) => ({ checks: [{ name: 'unit', passed: true }], tests: reported(results) });
const of = (...names: readonly string[]) => [
  { check: 'unit', tests: names.map((name) => ({ file: 'a.js', name, occurrence: 1 })) },
];

test('V4 a test flickers whose result differs between two runs, or that one of them lacks', () => {
  const first = reported({ stays: 'passed', fails: 'failed', turns: 'passed', goes: 'passed' });
  const second = reported({ stays: 'passed', fails: 'failed', turns: 'failed', comes: 'passed' });
  expect(flickeringTests(first, second)).toEqual(of('turns', 'goes', 'comes'));
  expect(flickeringTests(first, first)).toEqual([]);
  expect(flickeringTests(first, reported({}, false))).toEqual([]);
});

test('V4 a check is without change where it and all of its tests come to the same, and both reports are whole', () => {
  const first = leg({ a: 'passed', b: 'failed' });
  expect([...checksWithoutChange(first, leg({ a: 'passed', b: 'failed' }))]).toEqual(['unit']);
  expect([...checksWithoutChange(first, leg({ a: 'passed', b: 'passed' }))]).toEqual([]);
  expect([...checksWithoutChange(first, { ...first, checks: [{ name: 'unit', passed: false }] })]).toEqual([]);
  expect([...checksWithoutChange(first, { checks: [], tests: new Map() })]).toEqual([]);
  expect([...checksWithoutChange(first, { ...first, tests: reported({ a: 'passed', b: 'failed' }, false) })]).toEqual(
    [],
  );
});

test.each<[Results, Results]>([
  [
    { other: 'passed', turns: 'passed' },
    { other: 'passed', turns: 'failed' },
  ],
  [
    { other: 'passed', turns: 'failed' },
    { other: 'passed', turns: 'passed' },
  ],
  [{ other: 'passed', turns: 'passed' }, { other: 'passed' }],
  [{ other: 'passed' }, { other: 'passed', turns: 'passed' }],
])('V4 a test that flickers is neither lost nor turned nor new %#', (before, after) => {
  const flickering = of('turns');
  const now = leg(after);
  const steady = { ...now, tests: withoutFlickering(now.tests, flickering) };
  const [found] = checkedTests(withoutFlickering(reported(before), flickering), steady, null);
  expect(found).toMatchObject({ turned: [], kept: 1, fresh: [], lost: [], stillRed: [] });
});

const many = (letter: string, result: TestResult['result']): Results =>
  Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`${letter}${index}`, result]));

test('V4 of tests that flicker the first are named, and none beyond them is demanded by name', () => {
  const first = reported({ stays: 'passed', goes: 'passed', ...many('t', 'passed') });
  const found = flickeringTests(first, reported({ stays: 'passed', goes: 'passed', ...many('t', 'failed') }));
  const base = recordedFlickering(baseTests(first), found);
  expect(base.flickering).toMatchObject([{ check: 'unit', more: 50 }]);
  expect(base.flickering[0]?.tests).toHaveLength(MAX_NAMED);
  const known = knownFlickering(base);
  const now = leg({ stays: 'passed' });
  const steady = { ...now, tests: withoutFlickering(now.tests, known) };
  const [checked] = checkedTests(withoutFlickering(basedOn(base.tests), known), steady, null);
  expect(checked).toMatchObject({ kept: 1, stillRed: [], lost: [{ test: { name: 'goes' }, how: 'gone' }] });
  expect(hasFlickered(leg({ t149: 'failed' }), known)).toBe(true);
  expect(hasFlickered(leg({ goes: 'failed' }), known)).toBe(false);
});

test('V4 where tests that flicker have no recorded name, any that fails may be one of them', () => {
  const first = reported({ stays: 'passed' });
  const found = flickeringTests(first, reported({ stays: 'passed', ...many('t', 'failed') }));
  const known = knownFlickering(recordedFlickering(baseTests(first), found));
  expect(known).toMatchObject([{ more: 50 }]);
  expect(hasFlickered(leg({ fails: 'failed' }), known)).toBe(true);
  expect(hasFlickered(leg({ fails: 'passed' }), known)).toBe(false);
});

test('V4 a leg has flickered where such a test has failed in it', () => {
  expect(hasFlickered(leg({ turns: 'failed' }), of('turns'))).toBe(true);
  expect(hasFlickered(leg({ turns: 'passed', fails: 'failed' }), of('turns'))).toBe(false);
});

test('V4 the first prompt names the tests that flicker', () => {
  const names = Array.from({ length: 12 }, (_, index) => `test ${index}`);
  const [said = ''] = beginningText({ flickering: of(...names) });
  expect(said).toContain('- a.js: test 0\n');
  expect(said).toMatch(/- and 2 more$/);
  const [cut = ''] = beginningText({ flickering: of(...names).map((one) => ({ ...one, more: 50 })) });
  expect(cut).toMatch(/- and 52 more$/);
  expect(beginningText({})).toEqual([]);
});

test('V17 where a run ended is known, too, of a check some of whose tests flicker', () => {
  const ended = [{ file: 'a.go', name: 'TestAdds', within: 'file', said: 'panic: zero' }] as const;
  const list = { tests: [], complete: false, ended };
  expect(withoutFlickering(new Map([['unit', list]]), []).get('unit')).toEqual(list);
});
