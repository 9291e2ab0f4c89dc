import { expect, test } from 'vitest';
import { isDeeperThan } from '../../src/log/json-depth.ts';

const nested = (levels: number) => Array.from({ length: levels }).reduce<unknown>((inner) => ({ a: inner }), 1);

test.each([
  ['a number', 1, 0, false],
  ['an empty object', {}, 0, true],
  ['as many levels', { a: [1], b: [{}] }, 3, false],
  ['one level more', { a: [1], b: [{}] }, 2, true],
  ['a hundred thousand levels', nested(100_000), 99_999, true],
  ['the last of them', nested(100_000), 100_000, false],
])('B4 %s: levels are counted without a call for each', (_, value, levels, isDeeper) =>
  expect(isDeeperThan(levels, value)).toBe(isDeeper),
);

test('B4 a value that contains itself has an end', () => {
  const cycle: { self?: unknown; again?: unknown } = {};
  cycle.self = cycle;
  cycle.again = [cycle];
  expect(isDeeperThan(5, cycle)).toBe(false);
});
