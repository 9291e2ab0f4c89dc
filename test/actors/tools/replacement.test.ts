import { describe, expect, test } from 'vitest';
import { type Replacement, isReplaced, replace } from '../../../src/actors/tools/replacement.ts';
import { fc } from '../../support/fast-check.ts';
import { testInTurn } from '../../support/in-turn.ts';

/** Few letters, so that texts overlap, contain and rebuild each other all the time. */
const short = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom('a', 'b', '\n'), minLength, maxLength });
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
      fc.property(short(0, 12), replacements, (text, replacement) => {
        const result = replace(text, replacement);
        fc.pre(result.kind === 'replaced');
        expect(replace(result.text, replacement).kind).toBe('refused');
      }),
      many,
    ),
  );

  testInTurn('is known to have happened when it has', () =>
    fc.assert(
      fc.property(short(0, 12), replacements, (text, replacement) => {
        const result = replace(text, replacement);
        fc.pre(result.kind === 'replaced');
        expect(isReplaced(result.text, replacement)).toBe(true);
      }),
      many,
    ),
  );

  testInTurn('is never thought to have happened where it still can', () =>
    fc.assert(
      fc.property(short(0, 12), replacements, (text, replacement) => {
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

describe('a replacement is refused', () => {
  test.each([
    ['the old text is empty', 'abc', once('', 'x'), 'empty'],
    ['there is nothing to change', 'abc', once('a', 'a'), 'the same'],
    ['the old text is not there', 'abc', once('d', 'x'), 'does not occur; read'],
    ['the old text is not there because of the line ends', 'a\r\nb', once('a\nb', 'x'), 'CR LF'],
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
