import { describe, expect, test } from 'vitest';
import { type Replacement, isReplaced, replace } from '../../../src/actors/tools/replacement.ts';
import { fc } from '../../support/fast-check.ts';
import { testInTurn } from '../../support/in-turn.ts';

/** Few letters, so that texts overlap, contain and rebuild each other all the time. */
const short = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom('a', 'b', '\n'), minLength, maxLength });
/** The same, with lines of both kinds. */
const lines = (maxLength: number) =>
  fc.string({ unit: fc.constantFrom('a', 'b', '\n', '\r\n', '\r'), minLength: 0, maxLength });
const replacements = fc.record({ oldText: short(0, 3), newText: short(0, 4), replaceAll: fc.boolean() });
const many = { numRuns: 5_000 };

const once = (oldText: string, newText: string): Replacement => ({ oldText, newText, replaceAll: false });
const everywhere = (oldText: string, newText: string): Replacement => ({ oldText, newText, replaceAll: true });
const refusedFor = (reason: string) => ({ kind: 'refused', reason: expect.stringContaining(reason) });

describe('an exact replacement', () => {
  test('changes the one occurrence and nothing around it', () =>
    fc.assert(
      fc.property(short(0, 12), short(1, 3), short(0, 12), short(0, 4), (before, oldText, after, newText) => {
        const result = replace(before + oldText + after, once(oldText, newText));
        fc.pre(result.kind === 'replaced');
        expect(result.text).toBe(before + newText + after);
      }),
      many,
    ));

  testInTurn('refuses its own result, so it never happens twice', () =>
    fc.assert(
      fc.property(lines(12), replacements, (text, replacement) => {
        const result = replace(text, replacement);
        fc.pre(result.kind === 'replaced');
        expect(replace(result.text, replacement).kind).toBe('refused');
      }),
      many,
    ),
  );

  testInTurn('is known to have happened when it has', () =>
    fc.assert(
      fc.property(lines(12), replacements, (text, replacement) => {
        const result = replace(text, replacement);
        fc.pre(result.kind === 'replaced');
        expect(isReplaced(result.text, replacement)).toBe(true);
      }),
      many,
    ),
  );

  testInTurn('is never thought to have happened where it still can', () =>
    fc.assert(
      fc.property(lines(12), replacements, (text, replacement) => {
        fc.pre(replace(text, replacement).kind === 'replaced');
        expect(isReplaced(text, replacement)).toBe(false);
      }),
      many,
    ),
  );

  test('takes the new text as it is, whatever it means to a regular expression', () =>
    expect(replace('cost: X', once('X', '$& $1 $$'))).toEqual({ kind: 'replaced', text: 'cost: $& $1 $$' }));

  test('everywhere when asked to', () =>
    expect(replace('a b a b a', everywhere('a', 'c'))).toEqual({ kind: 'replaced', text: 'c b c b c' }));
});

describe('B8 a replacement in a file whose lines end in CR LF', () => {
  test.each([
    [
      'of several lines',
      'one\r\ntwo\r\nthree\r\n',
      once('one\ntwo', 'one\nTWO\nnew'),
      'one\r\nTWO\r\nnew\r\nthree\r\n',
    ],
    ['of one line by several', 'one\r\ntwo\r\n', once('one', 'a\nb'), 'a\r\nb\r\ntwo\r\n'],
    ['of its last line, which has no end', 'one\r\ntwo', once('two', 'a\nb'), 'one\r\na\r\nb'],
    ['everywhere', 'a\r\nb\r\na\r\nb\r\n', everywhere('a\nb', 'c\n'), 'c\r\n\r\nc\r\n\r\n'],
    ['that is mixed, as the region is: LF', 'a\r\nb\nc\n', once('b\nc', 'd\ne'), 'a\r\nd\ne\n'],
    ['that is mixed, as the region is: CR LF', 'a\nb\r\nc\r\n', once('b\nc', 'd\ne'), 'a\nd\r\ne\r\n'],
    ['that is mixed, as its line ends', 'a\nb\r\nc\n', once('b', 'd\ne'), 'a\nd\r\ne\r\nc\n'],
    ['by text with its own line ends', 'a\r\nb', once('a\r\nb', 'c\nd'), 'c\nd'],
  ])('ends its lines as the file does there: %s', (_, text, replacement, result) => {
    expect(replace(text, replacement)).toEqual({ kind: 'replaced', text: result });
    expect(isReplaced(result, replacement)).toBe(true);
  });
});

describe('a replacement is refused', () => {
  test.each([
    ['the old text is empty', 'abc', once('', 'x'), 'empty'],
    ['there is nothing to change', 'abc', once('a', 'a'), 'the same'],
    ['the old text is not there', 'abc', once('d', 'x'), 'does not occur; read'],
    ['it is there with both kinds of line ends', 'a\nb a\r\nb', everywhere('a\nb', 'x'), 'both kinds of line ends'],
    ['it has been made already in a file of Windows', 'a\r\nb', once('a', 'a\nb'), 'already there'],
    ['it occurs more than once, and it says how often', 'a b a b a', once('a', 'c'), 'occurs 3 times'],
    ['its occurrences overlap', 'aaa', once('aa', 'b'), 'occurs 2 times'],
    [
      'nothing could hold the result',
      'a'.repeat(1_000_000),
      everywhere('a', 'b'.repeat(1_000)),
      '1000000000 characters',
    ],
    ['it has been made already', 'one two', once('one', 'one two'), 'already there'],
    ['the old text would be there again', 'aab', once('ab', 'b'), 'occur again'],
    ['the same everywhere', 'aab ab', everywhere('ab', 'b'), 'occur again'],
  ])('because %s', (_, text, replacement, reason) => expect(replace(text, replacement)).toEqual(refusedFor(reason)));

  test('one that changes nothing has not happened, whatever the file says', () =>
    expect(isReplaced('a', once('a', 'a'))).toBe(false));
});
