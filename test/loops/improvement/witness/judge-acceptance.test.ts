import { expect, test } from 'vitest';
import type { TestResult } from '../../../../src/evidence/test-list.ts';
import { judgeAcceptance, whyNotSteady } from '../../../../src/loops/improvement/witness/judge-acceptance.ts';

const PATH = 'test/new.test.js';
type Given = Partial<TestResult>;

const result = (name: string, how: TestResult['result'], more: Given = {}): TestResult => ({
  file: PATH,
  name,
  occurrence: 1,
  result: how,
  ...(how === 'failed' ? { message: '1 !== 2' } : {}),
  ...more,
});
const ran = (...tests: readonly TestResult[]) => new Map([['tests', { tests, complete: true }]]);
const KNOWN = result('knows', 'passed', { file: 'test/old.test.js' });
const written = { path: PATH, text: 'text', before: ran(KNOWN) };

test('I12 a test that fails in an assertion on the head is a witness, by the names of its tests', () => {
  const judged = judgeAcceptance(written, ran(KNOWN, result('rejects', 'failed'), result('takes', 'passed')));
  expect(judged).toEqual({
    test: {
      path: PATH,
      text: 'text',
      check: 'tests',
      red: [{ file: PATH, name: 'rejects', occurrence: 1 }],
      green: [{ file: PATH, name: 'takes', occurrence: 1 }],
    },
  });
});

test('I12 where a runner names no files, the tests that were not there before are those of the file', () => {
  const known = result('knows', 'passed', { file: null });
  const judged = judgeAcceptance(
    { ...written, before: ran(known) },
    ran(known, result('rejects', 'failed', { file: null })),
  );
  expect(judged).toMatchObject({ test: { red: [{ file: null, name: 'rejects' }] } });
});

test.each([
  ['no runner takes it', [KNOWN], 'taken by no runner'],
  ['it does not load', [KNOWN, result('', 'failed', { message: 'Cannot find module' })], 'does not load'],
  ['it passes', [KNOWN, result('rejects', 'passed')], 'passes on the head'],
  ['it is skipped', [KNOWN, result('rejects', 'skipped')], 'passes on the head'],
  [
    'it fails by another error',
    [KNOWN, result('rejects', 'failed', { message: 'TypeError: retry is not a function' })],
    'in no assertion',
  ],
  ['it panics', [KNOWN, result('rejects', 'failed', { message: 'panic: nil map' })], 'in no assertion'],
  ['it breaks another test', [{ ...KNOWN, result: 'failed' as const }, result('rejects', 'failed')], 'breaks a test'],
])('I12 where %s, it shows nothing', (_, tests, why) => {
  expect(judgeAcceptance(written, ran(...tests))).toEqual({ refused: expect.stringContaining(why) });
});

test('I12 a test that keeps its runner from reporting all tests shows nothing', () => {
  const cut = new Map([['tests', { tests: [KNOWN, result('rejects', 'failed')], complete: false }]]);
  expect(judgeAcceptance(written, cut)).toEqual({ refused: expect.stringContaining('reporting all tests') });
});

const RED = { red: [{ file: PATH, name: 'rejects', occurrence: 1 }] };
const FAILS = result('rejects', 'failed');

test.each([
  ['fails again, and what must fail does', [FAILS, result('k1x0x', 'failed')], null],
  ['passes then', [result('rejects', 'passed'), result('k1x0x', 'failed')], 'passes without the work'],
  ['is gone then', [result('k1x0x', 'failed')], 'passes without the work'],
  ['lets what must fail pass', [FAILS, result('k1x0x', 'passed')], 'no proof'],
  ['hides what must fail', [FAILS], 'no proof'],
])('I12 in a second run without the work a test %s', (_, tests, why) => {
  const said = whyNotSteady(written, RED, { ran: ran(...tests), labels: ['k1x0x'] });
  expect(said).toEqual(why === null ? null : expect.stringContaining(why));
});
