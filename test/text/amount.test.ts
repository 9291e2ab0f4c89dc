import { expect, test } from 'vitest';
import { amount, grouped } from '../../src/text/money.ts';

test.each([
  [0, '0'],
  [999, '999'],
  [1_000, '1,000'],
  [-12_345, '-12,345'],
  [1_234_567, '1,234,567'],
  [Number.MAX_SAFE_INTEGER, '9,007,199,254,740,991'],
])('%d is written as %s', (count, text) => {
  expect(grouped(count)).toBe(text);
  expect(grouped(count)).toBe(count.toLocaleString('en-US'));
});

test('a unit is in the singular for one', () => {
  expect([0, 1, 2_000].map((count) => amount(count, 'step'))).toEqual(['0 steps', '1 step', '2,000 steps']);
});
