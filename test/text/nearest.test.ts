import { describe, expect, test } from 'vitest';
import { editDistance, nearest } from '../../src/text/nearest.ts';
import { fc } from '../support/fast-check.ts';

const known = ['maxSteps', 'maxTokens', 'maxTime', 'loop'];
const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 7 });

describe('the nearest known name', () => {
  test.each([
    ['maxStep', 'maxSteps'],
    ['max-stpes', 'maxSteps'],
    ['mazStpes', 'maxSteps'],
    ['MAX_TOKENS', 'maxTokens'],
    ['maxtokes', 'maxTokens'],
    ['lop', 'loop'],
  ])('%s is taken for %s', (typed, meant) => expect(nearest(typed, known)).toBe(meant));

  test.each(['quux', 'x', '', 'maximalStepsOfARun'])('%j is taken for nothing', (typed) =>
    expect(nearest(typed, known)).toBeNull(),
  );

  test('the nearest of several close names wins, wherever it stands', () => {
    expect(nearest('maxTimes', ['maxItems', 'maxTime'])).toBe('maxTime');
    expect(nearest('maxTimes', ['maxTime', 'maxItems'])).toBe('maxTime');
  });
});

describe('edit distance', () => {
  test.each([
    ['ab', 'ba', 1],
    ['abc', 'acb', 1],
    ['abc', 'ac', 1],
    ['abc', 'abbc', 1],
    ['abc', 'axc', 1],
    ['', 'abc', 3],
    ['ca', 'abc', 3],
  ])('from %j to %j is %i', (from, to, distance) => expect(editDistance(from, to)).toBe(distance));

  test('is zero for equal words only, symmetric, and bounded by the longer word', () =>
    fc.assert(
      fc.property(word, word, (a, b) => {
        const distance = editDistance(a, b);
        expect(distance === 0).toBe(a === b);
        expect(distance).toBe(editDistance(b, a));
        expect(distance).toBeLessThanOrEqual(Math.max(a.length, b.length));
        expect(distance).toBeGreaterThanOrEqual(Math.abs(a.length - b.length));
      }),
    ));
});
