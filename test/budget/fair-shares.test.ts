import { describe, expect, test } from 'vitest';
import { NO_SPEND } from '../../machines/outcome.ts';
import { MIN_ANSWER_TOKENS } from '../../src/budget/allowance.ts';
import { fairShares, leftIn } from '../../src/budget/fair-shares.ts';
import { LIMITS } from '../support/facts.ts';
import { fc } from '../support/fast-check.ts';

const left = (tokens: number | null, more: object = {}) => ({
  tokens,
  nanoUsd: null,
  steps: null,
  toolCalls: null,
  ...more,
});
const tokensOf = (shares: ReturnType<typeof fairShares>) => shares.map((share) => share && share.tokens);

describe('what is left is shared out', () => {
  test('in equal parts, one of them kept back for the delegator', () => {
    const shares = fairShares(left(1_000, { nanoUsd: 700, steps: 11, toolCalls: 2 }), [null, null, null]);
    expect(shares).toEqual(Array.from({ length: 3 }, () => ({ tokens: 250, nanoUsd: 175, steps: 2, toolCalls: 0 })));
  });

  test('smaller where less was asked for, and the rest to the others', () =>
    expect(tokensOf(fairShares(left(1_000), [null, 100, 5_000, null]))).toEqual([225, 100, 225, 225]));

  test('where there is no limit, as much as was asked for', () =>
    expect(tokensOf(fairShares(left(null), [null, 100]))).toEqual([null, 100]));

  test.each([
    ['tokens', left(3 * MIN_ANSWER_TOKENS), 2],
    ['tokens', left(3 * MIN_ANSWER_TOKENS - 1), 1],
    ['money', left(null, { nanoUsd: 2 }), 1],
    ['steps', left(null, { steps: 1 }), 0],
    ['tool calls, which an answer does not need', left(null, { toolCalls: 0 }), 4],
  ])('to as many as it is of use to, who asked first first: %s', (_what, some, served) =>
    expect(fairShares(some, [null, null, null, null]).map((share) => share !== null)).toEqual(
      [0, 1, 2, 3].map((index) => index < served),
    ),
  );

  test('all shares together are never more than what is left, whatever was asked for', () =>
    fc.assert(
      fc.property(
        fc.record({
          tokens: fc.option(fc.nat(250_000)),
          nanoUsd: fc.option(fc.nat(1e9)),
          steps: fc.option(fc.nat(200)),
          toolCalls: fc.option(fc.nat(50)),
        }),
        fc.array(fc.option(fc.integer({ min: 1, max: 300_000 })), { minLength: 1, maxLength: 50 }),
        (amounts, wishes) => {
          const shares = fairShares({ ...amounts }, wishes);
          for (const unit of ['tokens', 'nanoUsd', 'steps', 'toolCalls'] as const) {
            const all = amounts[unit];
            if (all === null) continue;
            expect(shares.reduce((sum, share) => sum + (share?.[unit] ?? 0), 0)).toBeLessThanOrEqual(all);
          }
          for (const [index, wish] of wishes.entries())
            expect(shares[index]?.tokens ?? 0).toBeLessThanOrEqual(wish ?? Infinity);
        },
      ),
    ));
});

test('what is left is what was not spent, and not set aside for anything else', () => {
  const limits = { ...LIMITS, maxSteps: 20, maxToolCalls: 5, maxTokens: 1_000, maxCostNanoUsd: 90 };
  const spend = { ...NO_SPEND, inputTokens: 300, outputTokens: 50, steps: 3, toolCalls: 6, costNanoUsd: 40 };
  const reserved = { summary: { tokens: 100, nanoUsd: 10 } };
  expect(leftIn({ limits, spend, reserved })).toEqual({ steps: 17, toolCalls: 0, tokens: 550, nanoUsd: 40 });
  expect(leftIn({ limits: { ...limits, maxToolCalls: 10 }, spend, reserved: {} }, 3).toolCalls).toBe(1);
  expect(leftIn({ limits: { ...limits, maxToolCalls: 10 }, spend, reserved: {} }).toolCalls).toBe(4);
  expect(leftIn({ limits: { ...limits, maxTokens: null, maxSteps: null }, spend, reserved: {} })).toMatchObject({
    steps: null,
    tokens: null,
  });
});

test('nothing is left of a cap that is passed', () => {
  const limits = { ...LIMITS, maxSteps: 3, maxToolCalls: 2, maxTokens: 10 };
  const spend = { ...NO_SPEND, steps: 4, toolCalls: 5, inputTokens: 20 };
  expect(leftIn({ limits, spend, reserved: {} })).toEqual({ steps: 0, toolCalls: 0, tokens: 0, nanoUsd: null });
});
