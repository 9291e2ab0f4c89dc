import { describe, expect, test } from 'vitest';
import type { Reservation, Share } from '../../machines/events.ts';
import { NO_SPEND, type Spend } from '../../machines/outcome.ts';
import type { Price } from '../../machines/price.ts';
import type { Limits } from '../../machines/settings.ts';
import { keptUsage, least, USUAL_ANSWER_TOKENS } from '../../src/budget/allowance.ts';
import { LIMITS } from '../support/facts.ts';
import { lifeUnder } from '../support/life-under.ts';

/** A thousand nano-dollars a token of input, two thousand one of output. */
const PRICE: Price = { inputPerMillion: 1, outputPerMillion: 2, source: 'test' };

interface Told {
  readonly held: Reservation | Share;
  readonly limits?: Partial<Limits>;
  readonly spend?: Partial<Spend>;
}

const kept = ({ held, limits = {}, spend = {} }: Told) =>
  keptUsage(
    {
      ...lifeUnder(),
      limits: { ...LIMITS, ...limits },
      spend: { ...NO_SPEND, ...spend },
      reserved: { model: held },
    },
    'model',
  );

describe('what counts as used where the real usage can no longer be known', () => {
  test('is nothing of an effect that has reserved nothing', () => expect(keptUsage(lifeUnder(), 'model')).toBeNull());

  test('is the whole reservation of work that is no answer', () => {
    const held = { tokens: 900, nanoUsd: null };
    expect(kept({ held, limits: { maxTokens: 5_000 } })).toEqual({
      inputTokens: 0,
      outputTokens: 900,
      estimated: true,
    });
    expect(kept({ held: { tokens: 900, nanoUsd: 70 }, limits: { maxTokens: 5_000 } })).toEqual({
      inputTokens: 0,
      outputTokens: 900,
      estimated: true,
      cost: { nanoUsd: 70 },
    });
  });

  test('is nothing where neither tokens nor money were reserved', () =>
    expect(kept({ held: { tokens: null, nanoUsd: null } })).toEqual({
      inputTokens: 0,
      outputTokens: 0,
      estimated: true,
    }));

  test('is never more than is left', () => {
    const spend = { inputTokens: 300, outputTokens: 0, costNanoUsd: 60 };
    const limits = { maxTokens: 1_000, maxCostNanoUsd: 100 };
    expect(kept({ held: { tokens: 900, nanoUsd: 70 }, limits, spend })).toMatchObject({
      outputTokens: 700,
      cost: { nanoUsd: 40 },
    });
  });

  test('is the input and an answer of the usual length, where the run has none to go by', () => {
    const held = { tokens: 30_000, nanoUsd: 90_000_000, inputTokens: 100, price: PRICE };
    expect(kept({ held })).toEqual({
      inputTokens: 100,
      outputTokens: USUAL_ANSWER_TOKENS,
      estimated: true,
      cost: { nanoUsd: 100_000 + 2_000 * 2_000, price: PRICE },
    });
  });

  test('is the input and an answer as long as those so far: the newest step has none', () => {
    const held = { tokens: 30_000, nanoUsd: null, inputTokens: 100 };
    expect(kept({ held, spend: { steps: 4, outputTokens: 31 } })).toMatchObject({ inputTokens: 100, outputTokens: 11 });
    expect(kept({ held, spend: { steps: 1, outputTokens: 31 } })).toMatchObject({ outputTokens: 31 });
    expect(kept({ held, spend: { steps: 2, outputTokens: 31 } })).toMatchObject({ outputTokens: 31 });
    expect(kept({ held, spend: { steps: 2, outputTokens: 1 } })).toMatchObject({ outputTokens: 1 });
  });

  test('is a part of the input where that is all that is left', () => {
    const held = { tokens: 80, nanoUsd: null, inputTokens: 100 };
    expect(kept({ held })).toMatchObject({ inputTokens: 80, outputTokens: 0 });
  });

  test('costs no more than was reserved, also without a price', () => {
    expect(kept({ held: { tokens: 500, nanoUsd: 7, inputTokens: 100, price: PRICE } })?.cost?.nanoUsd).toBe(7);
    expect(kept({ held: { tokens: 500, nanoUsd: 7, inputTokens: 100 } })?.cost).toEqual({ nanoUsd: 7 });
    const held = { tokens: 500, nanoUsd: null, inputTokens: 100, price: PRICE };
    expect(kept({ held, limits: { maxCostNanoUsd: 9 } })?.cost).toBeUndefined();
  });
});

test('of two amounts the smaller, where one that is not limited is as large as can be', () => {
  expect([least(3, 5), least(5, 3), least(null, 4), least(4, null), least(null, null)]).toEqual([3, 3, 4, 4, null]);
});
