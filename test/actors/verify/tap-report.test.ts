import { describe, expect, test } from 'vitest';
import { readTapReport } from '../../../src/actors/verify/tap-report.ts';
import { testInTurn } from '../../support/in-turn.ts';
import { proveTap, vitestTap } from './reports.ts';

const tap = (...lines: string[]) => readTapReport(['TAP version 14', ...lines, ''].join('\n'));
const names = (...lines: string[]) => tap(...lines)?.failing.map(({ name }) => name);

test('L16 prove -v: each file is its own stream, and its name is part of the names', () =>
  expect(readTapReport(proveTap)).toEqual({
    format: 'tap',
    passed: 3,
    failed: 2,
    skipped: 2,
    failing: [
      { name: 't/sums.t > of two > turned around', message: '' },
      { name: 't/parts.t > same', message: "Failed test 'same'\n         got: '1'\n    expected: '2'" },
    ],
  }));

test('L16 vitest: subtests in braces, their details as messages', () =>
  expect(readTapReport(vitestTap)).toEqual({
    format: 'tap',
    passed: 1,
    failed: 1,
    skipped: 1,
    failing: [{ name: 'sums.test.ts > subtracts', message: 'expected 1 to be 3' }],
  }));

describe('L16 leaves count, not what they are in', () => {
  const subtest = (...points: string[]) => ['# Subtest: sums', ...points.map((point) => `    ${point}`), '    1..1'];

  test('L16 a test fails by itself where none of its subtests does', () =>
    expect(names(...subtest('ok 1 - adds'), 'not ok 1 - sums', '1..1')).toEqual(['sums']));

  test('L16 a passed one is no test of its own', () =>
    expect(tap(...subtest('ok 1 - adds'), 'ok 1 - sums', '1..1')).toMatchObject({ passed: 1, failed: 0 }));

  test('L16 a failed subtest fails, whatever its parent says', () =>
    expect(names(...subtest('not ok 1 - adds'), 'ok 1 - sums', '1..1')).toEqual(['sums > adds']));

  test('L16 where the parent may fail, so may they', () =>
    expect(tap(...subtest('not ok 1 - adds'), 'not ok 1 - sums # TODO', '1..1')).toMatchObject({
      failed: 0,
      skipped: 1,
    }));

  test('L16 subtests that are never closed count, in one that is still open', () =>
    expect(tap(...subtest('ok 1 - adds'), '# Subtest: parts', '    not ok 1 - cuts')).toMatchObject({
      passed: 1,
      failing: [{ name: 'sums > cuts' }],
    }));
});

describe('L16 directives, plans and the end', () => {
  test('L16 what is skipped or still to be done does not fail', () =>
    expect(tap('not ok 1 - a # SKIP no time', 'not ok 2 - b # TODO', 'ok 3 - c # skip', '1..3')).toMatchObject({
      passed: 0,
      failed: 0,
      skipped: 3,
    }));

  test('L16 planned tests that did not run have failed, a stream without a plan has not', () => {
    expect(tap('1..3', 'ok 1 - a')?.failing).toEqual([{ name: 'the plan', message: '3 planned, 1 run' }]);
    expect(tap('ok 1 - a')).toMatchObject({ passed: 1, failed: 0 });
  });

  test('L16 bailing out is a failure, in a subtest too', () => {
    expect(tap('ok 1 - a', 'Bail out! no database')?.failing).toEqual([{ name: 'Bail out!', message: 'no database' }]);
    expect(names('# Subtest: sums', '    ok 1 - a', '    Bail out!')).toEqual(['Bail out!']);
  });

  test('L16 what comes behind a plan is another stream, never lost', () => {
    expect(names('ok 1 - a', '1..1', 'not ok 1 - b', '1..1')).toEqual(['b']);
    expect(names('1..2', 'ok 1 - a', '1..1', 'not ok 1 - b')).toEqual(['the plan', 'b']);
  });
});

describe('L16 what else is printed', () => {
  test('L16 lines that are no TAP, and details of passed tests, are passed over', () =>
    expect(
      tap(
        '> node --test',
        'ok 1 - a',
        '  ---',
        '  not: [yaml',
        '  ...',
        '{',
        'not okay',
        'not ok 2 - b',
        '  ---',
        '  at: x',
        '1..2',
      ),
    ).toMatchObject({ passed: 1, failed: 1, failing: [{ name: 'b' }] }));

  test.each([
    '',
    'ok',
    'ok  example.com/sums 0.3s\nok  example.com/parts 0.1s',
    'not ok 1 - printed by a test',
    '1..3',
  ])('L16 %j is no TAP', (text) => expect(readTapReport(text)).toBeNull());

  test.each([
    ["error: 'one'", 'one'],
    ['message: two', 'two'],
    ['error:\n    message: three', 'three'],
    ['other: 4', '{"other":4}'],
    ['&a [*a]', ''],
  ])('L16 details %j say %j', (details, message) => {
    const block = `${details}`.split('\n').map((line) => `  ${line}`);
    expect(tap('not ok 1 - a', '  ---', ...block, '  ...', '1..1')?.failing).toEqual([{ name: 'a', message }]);
  });
});

testInTurn('L16 what is too much to be read hides no failure', () => {
  const many = Array.from({ length: 20_000 }, (_, index) => `ok ${index + 1} - fine`);
  expect(tap(...many, 'not ok 20001 - late', 'not ok 20002 - later # TODO')).toMatchObject({
    failed: 1,
    failing: [{ name: expect.stringContaining('beyond the first'), message: '1 more lines say "not ok"' }],
  });
  expect(tap(...many, 'ok 20001 - late')).toMatchObject({ failed: 0 });
});

testInTurn('L16 a plan counts what is too much to be read, too', () => {
  const many = Array.from({ length: 20_005 }, (_, index) => `ok ${index + 1} - fine`);
  expect(tap('1..20005', ...many)).toMatchObject({ failed: 0 });
  expect(tap('1..20007', ...many)).toMatchObject({
    failed: 1,
    failing: [{ name: 'the plan', message: '20007 planned, 20005 run' }],
  });
  const streams = Array.from({ length: 10_000 }, () => ['TAP version 13', '1..1', 'ok 1 - fine']);
  expect(tap(...streams.flat())).toMatchObject({ failed: 0 });
});
