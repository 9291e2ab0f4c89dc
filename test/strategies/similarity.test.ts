import { expect, test } from 'vitest';
import { similarity } from '../../src/strategies/similarity.ts';
import { fc } from '../support/fast-check.ts';

test.each([
  ['', '', 1],
  ['  \n', '', 1],
  ['', 'a', 0],
  ['a b', 'b a', 1],
  ['a a a b', 'a b', 1],
  ['All tests pass', 'all tests FAIL', 0.5],
  ['all tests pass', 'all tests fail', 0.5],
  ['a', 'b', 0],
  ['...', '', 0],
  ['x_1 = 2', 'x_1 = 3', 0.5],
  ['größer', 'GRÖSSER', 0],
  ['größer', 'GRÖßER', 1],
])('L12 %j and %j are alike by %d', (one, other, expected) => expect(similarity(one, other)).toBe(expected));

const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e')).map((words) => words.join(' ')),
);

test('L12 it is 0 to 1, the same both ways, and 1 for a text and itself', () =>
  fc.assert(
    fc.property(text, text, (one, other) => {
      const alike = similarity(one, other);
      expect(alike).toBeGreaterThanOrEqual(0);
      expect(alike).toBeLessThanOrEqual(1);
      expect(similarity(other, one)).toBe(alike);
      expect(similarity(one, one)).toBe(1);
    }),
  ));

test('L12 a word that both have brings them closer, one that only one has moves them apart', () =>
  fc.assert(
    fc.property(text, text, (one, other) => {
      const alike = similarity(one, other);
      expect(similarity(`${one} shared`, `${other} shared`)).toBeGreaterThanOrEqual(alike);
      expect(similarity(`${one} alone`, other)).toBeLessThanOrEqual(alike);
    }),
  ));
