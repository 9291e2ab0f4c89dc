import { describe, expect, test } from 'vitest';
import { Grade, type Outcome, type Verified } from '../../machines/outcome.ts';
import { formatMoney } from '../../src/text/money.ts';
import {
  callArgument,
  changedFile,
  changes,
  elapsed,
  endingName,
  isDone,
  oneLine,
  plain,
  span,
  spent,
} from '../../src/projections/phrases.ts';
import { fc } from '../support/fast-check.ts';

describe('what others printed cannot take over a terminal', () => {
  test('no control character but line ends and tabs is left, and nothing else is lost', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => !/[^\P{Cc}\n\t]/u.test(plain(text))));
    expect(plain('\u001b[2J\u001b]0;title\u0007été\u202e 🎉\tok\n')).toBe('été 🎉\tok\n');
  });

  test('one line is one line, of at most so many characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 50 }), (text, most) => {
        const line = oneLine(text, most);
        return line.length <= most && !/[\n\t]/.test(line);
      }),
    );
  });
});

test('spans are in the units people use', () => {
  expect([0, 300, 9_949, 9_950, 59_400, 185_000, 7_800_000].map(span)).toEqual([
    '0.0 s',
    '0.3 s',
    '9.9 s',
    '10 s',
    '59 s',
    '3 min 5 s',
    '2 h 10 min',
  ]);
});

test('what was not used is not mentioned', () => {
  expect(spent({ steps: 1, toolCalls: 0, inputTokens: 1_000, outputTokens: 234 })).toBe('1 step, 1,234 tokens');
  expect(spent({ steps: 0, toolCalls: 0, inputTokens: 0, outputTokens: 0 })).toBe('nothing');
});

test('a call is about its command or its path before anything else', () => {
  expect(callArgument({ arguments: { oldText: 'a', path: 'src/a.ts' } }, 40)).toBe('src/a.ts');
  expect(callArgument({ arguments: { depth: 2 } }, 40)).toBe('{"depth":2}');
  expect(callArgument({ arguments: {} }, 40)).toBe('');
  expect(callArgument({ arguments: 'not an object' }, 40)).toBe('"not an object"');
});

test('a success says whether it is proven', () => {
  expect(endingName({ ending: 'success', verified: null, partial: false })).toBe('success');
  expect(endingName({ ending: 'success', verified: { version: 3, workspace: null }, partial: false })).toBe(
    'success, verified',
  );
  expect(endingName({ ending: 'success', verified: null, partial: true })).toBe('success, partial');
  expect(endingName({ ending: 'success', verified: null, partial: false }, true)).toBe('success, unverified');
  expect(endingName({ ending: 'success', verified: { version: 3, workspace: null }, partial: false }, true)).toBe(
    'success, verified',
  );
  expect(endingName({ ending: 'abort', cause: 'user', fault: null })).toBe('abort (user)');
});

describe('given a success whose checks passed', () => {
  const ended = (verified: Partial<Verified>): Outcome => ({
    ending: 'success',
    verified: { version: 3, workspace: null, ...verified },
    partial: false,
  });

  test.each(Grade.options)('V15 what was recorded as enough decides, also about %s', (grade) => {
    expect(isDone(ended({ grade, enough: true }), true)).toBe(true);
    expect(isDone(ended({ grade, enough: false }), true)).toBe(false);
  });

  test('V15 where that was not recorded, its grade alone does', () => {
    const done = [undefined, ...Grade.options].filter((grade) => isDone(ended(grade ? { grade } : {}), true));
    expect(done).toEqual([undefined, 'witnessed', 'approved', 'verified']);
  });
});

describe('files that changed', () => {
  const file = (path: string) => ({ path, added: 1, removed: 0 });

  test('a name is one line, and forges none', () => {
    expect(changedFile(file('a\nsuccess,\tverified:\u001b[2J\u2028forged'))).toBe(
      '"a\\nsuccess,\\tverified:\\033[2J\\342\\200\\250forged" +1 −0',
    );
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (path) => !/[\p{Cc}\u2028\u2029]/u.test(changedFile(file(path)))),
    );
  });

  test('the first eight are named, the others counted', () => {
    const files = Array.from({ length: 1_500 }, (_, index) => file(`f${index}`));
    expect(changes([])).toBe(null);
    expect(changes(files.slice(0, 2))).toBe('f0 +1 −0, f1 +1 −0');
    expect(changes(files.slice(0, 8))).toMatch(/f7 \+1 −0$/);
    expect(changes(files)).toMatch(/f7 \+1 −0 … and 1,492 more$/);
  });
});

test('money is told as exactly as its size deserves', () => {
  expect([0, 50_000, 100_000, 12_300_000, 999_990_000, 1_500_000_000].map(formatMoney)).toEqual([
    '$0.00',
    '<$0.0001',
    '$0.0001',
    '$0.0123',
    '$1.0000',
    '$1.50',
  ]);
});

test('a spend marks estimated tokens, and names the cost where it is known', () => {
  const spend = { inputTokens: 1_000, outputTokens: 200, toolCalls: 0, steps: 1 };
  expect(spent(spend)).toBe('1 step, 1,200 tokens');
  expect(spent({ ...spend, estimatedTokens: 5, costNanoUsd: 12_300_000 })).toBe('1 step, ~1,200 tokens, $0.0123');
  expect(elapsed(119_900)).toBe('1 min 59 s');
});

test('a duration over which the clock was put back is not below zero', () => {
  expect(span(-31_536_000_000)).toBe('0.0 s');
});
