import { expect, test } from 'vitest';
import { tierUsage } from '../../../../src/loops/improvement/evaluation/tier-cost.ts';

test('I4 an evaluation in dollars counts in the tokens that the same money buys of the model', () => {
  const price = { inputPerMillion: 3, outputPerMillion: 15, source: 'test' };
  expect(tierUsage(0.03, price)).toEqual({ inputTokens: 10_000, outputTokens: 0, cost: { nanoUsd: 30_000_000 } });
  expect(tierUsage(1, { ...price, inputPerMillion: 0 })).toMatchObject({ inputTokens: 0 });
  expect(tierUsage(0.5, null)).toEqual({ inputTokens: 0, outputTokens: 0, cost: { nanoUsd: 500_000_000 } });
  expect(tierUsage(0, price)).toBe(undefined);
});
