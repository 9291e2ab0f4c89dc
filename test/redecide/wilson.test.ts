import { expect, test } from 'vitest';
import { wilson } from '../../src/redecide/wilson.ts';

const rounded = (part: number, whole: number) => {
  const interval = wilson(part, whole);
  return interval && [interval.low.toFixed(3), interval.high.toFixed(3)];
};

// As in Newcombe, Statistics in Medicine 17 (1998), table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29.
test.each([
  [81, 263, '0.255', '0.366'],
  [15, 148, '0.062', '0.160'],
  [0, 20, '0.000', '0.161'],
  [1, 29, '0.006', '0.172'],
  [20, 20, '0.839', '1.000'],
])('D13 %d of %d lies between', (part, whole, low, high) => expect(rounded(part, whole)).toEqual([low, high]));

test('D13 of nothing there is no share', () => expect(wilson(0, 0)).toBe(null));
