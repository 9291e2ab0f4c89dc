import { describe, expect, test } from 'vitest';
import type { Price } from '../../machines/price.ts';
import { answerWithin, MAX_ANSWER_TOKENS } from '../../src/budget/allowance.ts';

/** A dollar a million tokens is 1,000 nano-dollars a token. */
const priced = (inputPerMillion: number, outputPerMillion: number): Price => ({
  inputPerMillion,
  outputPerMillion,
  source: 'test',
});
const within = (nanoUsd: number | null, price: Price | null, tokens: number | null = null): number =>
  answerWithin({ tokens, nanoUsd }, { inputTokens: 100, price });

describe('the longest answer that stays within what is left', () => {
  test('is what the money after the input pays for', () => {
    expect(within(100_000, priced(1, 0.002))).toBe(0);
    expect(within(100_900, priced(1, 0.09))).toBe(10);
  });

  test('is negative where the money does not pay for the input', () =>
    expect(within(99_910, priced(1, 0.09))).toBe(-1));

  test('is the longest of all where output costs nothing and the input is paid for', () => {
    expect(within(100_000, priced(1, 0))).toBe(MAX_ANSWER_TOKENS);
    expect(within(0, priced(0, 0))).toBe(MAX_ANSWER_TOKENS);
  });

  test('is negative where output costs nothing and the input is not paid for', () =>
    expect(within(99_999, priced(1, 0))).toBe(-1));

  test('is what the tokens leave where those are fewer', () => {
    expect(within(null, null, 150)).toBe(50);
    expect(within(1_000_000, priced(1, 1), 150)).toBe(50);
  });

  test('is the longest of all without a limit, or without a price for one of money', () => {
    expect(within(null, priced(1, 1))).toBe(MAX_ANSWER_TOKENS);
    expect(within(0, null)).toBe(MAX_ANSWER_TOKENS);
  });
});
