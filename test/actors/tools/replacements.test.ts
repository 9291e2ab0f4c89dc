import { describe, expect, test } from 'vitest';
import type { Replacement } from '../../../src/actors/tools/replacement.ts';
import { areReplaced, replaceInOrder } from '../../../src/actors/tools/multi-edit.ts';
import { fc } from '../../support/fast-check.ts';
import { testInTurn } from '../../support/in-turn.ts';

/** Few letters, so that texts overlap, contain and rebuild each other all the time. */
const short = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom('a', 'b', 'c', '\n'), minLength, maxLength });
const replacement = fc.record({ oldText: short(1, 3), newText: short(0, 4), replaceAll: fc.boolean() });
const several = fc.array(replacement, { minLength: 1, maxLength: 4 });
const many = { numRuns: 5_000 };

const once = (oldText: string, newText: string): Replacement => ({ oldText, newText, replaceAll: false });

describe('several replacements', () => {
  test('are made in order', () =>
    expect(replaceInOrder('one two three', [once('three', '3'), once('one', '1')])).toEqual({
      kind: 'replaced',
      text: '1 two 3',
    }));

  test('refuse their own result, so they never happen twice', () =>
    fc.assert(
      fc.property(short(0, 16), several, (text, replacements) => {
        const result = replaceInOrder(text, replacements);
        fc.pre(result.kind === 'replaced');
        expect(replaceInOrder(result.text, replacements).kind).toBe('refused');
      }),
      many,
    ));

  testInTurn('are known to have happened exactly when they have', () =>
    fc.assert(
      fc.property(short(0, 16), several, (text, replacements) => {
        const result = replaceInOrder(text, replacements);
        fc.pre(result.kind === 'replaced');
        expect([areReplaced(text, replacements), areReplaced(result.text, replacements)]).toEqual([false, true]);
      }),
      many,
    ),
  );

  test.each([
    ['one is refused, and says which', 'a b', [once('a', 'x'), once('c', 'y')], 'edit 2: the old text does not occur'],
    ['a later one changes an earlier one', 'a b', [once('a', 'c'), once('c', 'd')], 'edit 1: a later one changes'],
    ['a later one puts old text back', 'a b', [once('a', 'c'), once('b', 'a')], 'edit 1: a later one changes'],
  ])('are refused as a whole because %s', (_, text, replacements, reason) =>
    expect(replaceInOrder(text, replacements)).toEqual({ kind: 'refused', reason: expect.stringContaining(reason) }),
  );
});
