import { expect, test } from 'vitest';
import type { CheckResult } from '../../../../machines/events.ts';
import { type CheckedTree, lostOnHead } from '../../../../src/loops/improvement/evaluation/head-losses.ts';
import { fc } from '../../../support/fast-check.ts';

type Result = 'passed' | 'failed' | 'skipped';

const checked = (passed: boolean, more: Partial<CheckResult> = {}): CheckResult => ({
  name: 'unit',
  passed,
  output: '',
  exitCode: passed ? 0 : 1,
  durationMs: 1,
  ...more,
});

function tree(tests: Readonly<Record<string, Result>> | null, check: CheckResult): CheckedTree {
  const list = Object.entries(tests ?? {}).map(([name, result]) => ({
    file: 'a.test.js',
    name,
    occurrence: 1,
    result,
  }));
  return {
    levels: [{ level: 'L1', passed: check.passed, checks: [check] }],
    tests: tests ? new Map([['unit', { complete: true, tests: list }]]) : new Map(),
  };
}

const findingsOf = ({ output }: CheckResult) =>
  new Map(
    output
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => [line, line]),
  );

const lost = (head: CheckedTree, candidate: CheckedTree, flickering: readonly string[] = []) =>
  lostOnHead({
    head,
    candidate,
    findingsOf,
    flickering: [{ check: 'unit', tests: flickering.map((name) => ({ file: 'a.test.js', name, occurrence: 1 })) }],
  }).map(({ text }) => text);

test('I9 a check that fails on a red head by the same tests loses nothing', () => {
  const head = tree({ a: 'failed', b: 'passed' }, checked(false));
  expect(lost(head, tree({ a: 'failed', b: 'passed' }, checked(false)))).toEqual([]);
  expect(lost(head, tree({ a: 'passed', b: 'passed' }, checked(true)))).toEqual([]);
});

test('I9 a test that passed and fails, is skipped or is gone is lost, on a red head, too', () => {
  const head = tree({ a: 'failed', b: 'passed' }, checked(false));
  expect(lost(head, tree({ a: 'passed', b: 'failed' }, checked(false)))).toEqual(['L1/unit: fails: a.test.js: b']);
  expect(lost(head, tree({ a: 'passed', b: 'skipped' }, checked(true)))).toEqual([
    'L1/unit: is skipped now: a.test.js: b',
  ]);
  expect(lost(head, tree({ a: 'passed' }, checked(true)))).toEqual(['L1/unit: was not run: a.test.js: b']);
});

test('I9 a failing test is lost where it is deleted or skipped, and a new one where it fails', () => {
  const head = tree({ a: 'failed', b: 'passed' }, checked(false));
  expect(lost(head, tree({ b: 'passed' }, checked(true)))).toEqual(['L1/unit: was not run: a.test.js: a']);
  expect(lost(head, tree({ a: 'skipped', b: 'passed' }, checked(true)))).toHaveLength(1);
  expect(lost(head, tree({ a: 'failed', b: 'passed', c: 'failed' }, checked(false)))).toEqual([
    'L1/unit: fails: a.test.js: c',
  ]);
  expect(lost(head, tree(null, checked(false)))).toContain('L1/unit: its test runner did not report all tests');
});

test('I9 what flickers on the head is never lost', () => {
  const head = tree({ a: 'passed', b: 'passed' }, checked(true));
  expect(lost(head, tree({ a: 'failed', b: 'passed' }, checked(false)), ['a'])).toEqual([]);
  expect(lost(head, tree({ a: 'failed', b: 'failed' }, checked(false)), ['a'])).toHaveLength(1);
});

test('I9 a check without tests is lost where it passed, ends no more, or has a new finding', () => {
  const red = (output: string, exitCode: number | null = 1) => tree(null, checked(false, { output, exitCode }));
  expect(lost(tree(null, checked(true)), red('broken'))).toEqual([
    'L1/unit: passes on the head, and fails now: broken',
  ]);
  expect(lost(red('one\ntwo'), red('two'))).toEqual([]);
  expect(lost(red('one'), red('one\nthree'))).toEqual(['L1/unit: a new finding: three']);
  expect(lost(red('one'), red('one', null))).toEqual(['L1/unit: comes to no end now: one']);
  // What the head had is unknown where its output was cut.
  expect(lost(red('one\n[… 9000 bytes left out …]\nend'), red('three'))).toEqual([]);
});

test('I9 nothing is lost against itself, whatever it is', () => {
  const result = fc.constantFrom<Result>('passed', 'failed', 'skipped');
  const trees = fc
    .dictionary(fc.constantFrom('a', 'b', 'c', 'd'), result, { minKeys: 1 })
    .map((tests) => tree(tests, checked(!Object.values(tests).includes('failed'))));
  fc.assert(
    fc.property(trees, (one) => {
      expect(lost(one, one)).toEqual([]);
    }),
  );
});
