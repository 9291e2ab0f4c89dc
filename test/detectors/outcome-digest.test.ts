import { describe, expect, test } from 'vitest';
import { outcomeOf } from '../../src/detectors/outcome-digest.ts';
import { fc } from '../support/fast-check.ts';

interface Runner {
  readonly name: string;
  /** The output where a test or an error of that name is red, at a line, after so many milliseconds. */
  readonly prints: (red: string, line: number, ms: number) => string;
}

const RUNNERS: readonly Runner[] = [
  {
    name: 'vitest',
    prints: (red, line, ms) => ` FAIL  a.test.ts > ${red}\n ❯ a.test.ts:${line}:3\n Tests  1 failed (${ms}ms)`,
  },
  {
    name: 'jest',
    prints: (red, line, ms) => `  ● cart › ${red}\n    at a.js:${line}:9\nTests: 1 failed, 3 passed\nTime: ${ms} ms`,
  },
  {
    name: 'mocha',
    prints: (red, line, ms) => `  3 passing (${ms}ms)\n  1 failing\n\n  1) ${red}\n      at a.js:${line}:5`,
  },
  {
    name: 'pytest',
    prints: (red, line, ms) =>
      `t.py:${line}: AssertionError\nFAILED t.py::${red.replaceAll(' ', '_')}\n1 failed in 0.${ms}s`,
  },
  {
    name: 'go',
    prints: (red, line, ms) =>
      `--- FAIL: Test_${red.replaceAll(' ', '_')} (0.00s)\n    a_test.go:${line}: no\nFAIL\tshop\t0.${ms}s`,
  },
  {
    name: 'cargo',
    prints: (red, line, ms) =>
      `test ${red} ... FAILED\nsrc/lib.rs:${line}:5\ntest result: FAILED. finished in 0.${ms}s`,
  },
  { name: 'TAP', prints: (red, line, ms) => `ok 1 - x\nnot ok 2 - ${red}\n  at: a.js:${line}\n# time=${ms}ms` },
  { name: 'tsc', prints: (red, line) => `src/a.ts(${line},7): error TS2304: Cannot find name '${red}'.` },
  { name: 'gcc', prints: (red, line) => `a.c:${line}:5: error: '${red}' undeclared (first use in this function)` },
  {
    name: 'rustc',
    prints: (red, line) => `error[E0425]: cannot find value \`${red}\` in this scope\n --> src/a.rs:${line}:5`,
  },
  {
    name: 'python',
    prints: (red, line) => `Traceback (most recent call last):\n  File "a.py", line ${line}\nKeyError: '${red}'`,
  },
  { name: 'node', prints: (red, line) => `a.js:${line}\nError: Cannot find module '${red}'\n    at a.js:${line}:9` },
  { name: 'a shell', prints: (red) => `bash: line 1: ${red}\n${red.split(' ')[0]}: command not found` },
];

describe.each(RUNNERS)('D18 what $name prints', ({ prints }) => {
  test('D18 the same red one elsewhere in the file and after another time is one outcome', () => {
    const one = outcomeOf(prints('adds tax', 12, 120));
    expect(one).toMatch(/^[0-9a-f]{16}$/);
    expect(outcomeOf(prints('adds tax', 340, 98))).toBe(one);
    expect(outcomeOf(`building …\n${prints('adds tax', 7, 3)}\n`)).toBe(one);
  });

  test('D18 another red one is another outcome, and one more too', () => {
    const [tax, rounding] = ['adds tax', 'rounds down'].map((red) => prints(red, 12, 120));
    expect(outcomeOf(rounding ?? '')).not.toBe(outcomeOf(tax ?? ''));
    expect([outcomeOf(tax ?? ''), outcomeOf(rounding ?? '')]).not.toContain(outcomeOf(`${tax}\n${rounding}`));
    expect(outcomeOf(`${tax}\n${rounding}`)).toBe(outcomeOf(`${rounding}\n${tax}`));
  });
});

test('D18 where a runner names no test, fewer reds are another outcome', () => {
  const reds = (count: number, ms: number) => outcomeOf(`Tests: ${count} failed, 30 passed\nTime: ${ms} ms`);
  expect(reds(3, 100)).toBe(reds(3, 7));
  expect(reds(2, 100)).not.toBe(reds(3, 100));
});

test('D18 a named test is the same red test whatever value it has got', () => {
  const got = (value: number) => outcomeOf(`FAIL a.test.ts > adds tax\nAssertionError: expected ${value} to be 120`);
  expect(got(119)).toBe(got(7));
});

test('D18 a parser that has come farther is news', () => {
  const at = (line: number) => outcomeOf(`a.py:${line}: error: invalid syntax`);
  expect(at(3)).not.toBe(at(9));
});

test.each([
  '',
  'ok',
  'Tests 12 passed',
  '0 failed, 12 passed',
  '0 errors',
  'the handler of failures is in src/fail.ts',
  'ok 1 - fails well',
])('D18 %j shows nothing red', (text) => expect(outcomeOf(text)).toBe(null));

test('D18 whatever a text is, its outcome is a digest or none, and soon known', () => {
  const piece = fc.constantFrom(
    'FAIL ',
    'not ok ',
    ' '.repeat(3_000),
    'error: ',
    '\n',
    'A.'.repeat(999),
    '1',
    ') ',
    '×',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      expect(outcomeOf(pieces.join('')) ?? '0'.repeat(16)).toMatch(/^[0-9a-f]{16}$/);
    }),
  );
});
