import { describe, expect, test } from 'vitest';
import type { Price } from '../../machines/price.ts';
import {
  answerWithin,
  isLimited,
  leastOf,
  leftFor,
  MAX_ANSWER_TOKENS,
  MIN_ANSWER_TOKENS,
  reservationFor,
} from '../../src/budget/allowance.ts';
import { NO_SPEND } from '../../machines/outcome.ts';
import { LIMITS } from '../support/facts.ts';

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
    expect(within(100_010, priced(1, 0.0005))).toBe(20);
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

test('a share is limited where either its tokens or its money are', () => {
  const limited = [
    { tokens: null, nanoUsd: null },
    { tokens: 1, nanoUsd: null },
    { tokens: null, nanoUsd: 1 },
    { tokens: 1, nanoUsd: 1 },
  ].map(isLimited);
  expect(limited).toEqual([false, true, true, true]);
});

test('the least amount of a call is its input and the shortest answer, and costs nothing without a price', () => {
  expect(leastOf({ inputTokens: 100, price: null })).toEqual({ tokens: 100 + MIN_ANSWER_TOKENS, nanoUsd: 0 });
  expect(leastOf({ inputTokens: 100, price: priced(1, 2) }).nanoUsd).toBe(100_000 + MIN_ANSWER_TOKENS * 2_000);
});

test('what is left is what neither was spent nor is reserved for another effect', () => {
  const limits = { ...LIMITS, maxTokens: 1_000, maxCostNanoUsd: 500 };
  const reserved = { model: { tokens: 300, nanoUsd: 70 }, summary: { tokens: null, nanoUsd: null } };
  const spend = { ...NO_SPEND, inputTokens: 90, outputTokens: 10 };
  expect(leftFor({ limits, spend, reserved })).toEqual({ tokens: 600, nanoUsd: 430 });
  expect(leftFor({ limits, spend: { ...spend, costNanoUsd: 30 }, reserved }, 'model')).toEqual({
    tokens: 900,
    nanoUsd: 470,
  });
});

describe('the reservation for the next call', () => {
  test('is its input and the longest answer there is room for', () => {
    expect(reservationFor({ tokens: 150, nanoUsd: null }, { inputTokens: 100, price: null })).toEqual({
      tokens: 150,
      nanoUsd: null,
      inputTokens: 100,
    });
    const price = priced(1, 2);
    expect(reservationFor({ tokens: 150, nanoUsd: null }, { inputTokens: 100, price })).toEqual({
      tokens: 150,
      nanoUsd: 200_000,
      inputTokens: 100,
      price,
    });
  });

  test('is its input where there is no room for an answer', () =>
    expect(reservationFor({ tokens: 90, nanoUsd: null }, { inputTokens: 100, price: null }).tokens).toBe(100));
});
