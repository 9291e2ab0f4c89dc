import { describe, expect, it } from 'vitest';
import { estimate } from './interval.ts';
import { measurements } from './step-history.ts';

/** Two measurements of one program differ by this much on a machine that does other things too. */
const NOISE = 1.15;

describe('the history of measurements', () => {
  const kept = measurements();

  it('begins with the commit that all others are compared with', () => {
    expect(kept[0].commit).toBe('d8b8f9a');
  });

  it('ends with a step that costs no more than the cheapest one before', () => {
    const costs = kept.map(({ spinsPerStep }) => spinsPerStep);
    expect(costs.at(-1)).toBeLessThanOrEqual(Math.min(...costs) * NOISE);
  });
});

describe('an estimate', () => {
  it('is the median of the blocks, with the interval their order gives', () => {
    const values = Array.from({ length: 100 }, (_, n) => 100 - n);
    expect(estimate(values)).toEqual({ value: 50.5, low: 41, high: 61 });
  });

  it('widens to all values where there are few', () => {
    expect(estimate([3, 1, 2])).toEqual({ value: 2, low: 1, high: 3 });
  });
});
