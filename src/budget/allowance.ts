import type { Reservation, Share, Usage } from '../../machines/events.ts';
import type { Life } from '../../machines/life.ts';
import { dearest, type Price } from '../../machines/price.ts';
import { type Account, type Amount, leftOf, NOTHING, openAccount, WORK } from './account.ts';
import { tokensOf } from './limit-use.ts';

/** With room for fewer tokens the model is not called: it could not finish a sentence. */
export const MIN_ANSWER_TOKENS = 64;
/** The longest answer that is reserved and requested where tokens or money are limited. */
export const MAX_ANSWER_TOKENS = 32_000;

/** The expected input of the next call, and its price where that is known. */
export interface Expected {
  readonly inputTokens: number;
  readonly price: Price | null;
}

/** The account of a run, without the reservation of `except`. */
export function accountOf(
  { limits, spend, reserved }: Pick<Life, 'limits' | 'spend' | 'reserved'>,
  except?: string,
): Account {
  const { maxTokens: tokens, maxCostNanoUsd: nanoUsd = null } = limits;
  const held = Object.entries(reserved).filter(([actor]) => actor !== except);
  return {
    ...openAccount({ tokens, nanoUsd }),
    spent: { [WORK]: { ...NOTHING, tokens: tokensOf(spend), nanoUsd: spend.costNanoUsd ?? 0 } },
    held: Object.fromEntries(held.map(([actor, share]) => [actor, { phase: WORK, amount: amountOf(share) }])),
  };
}

const amountOf = ({ tokens, nanoUsd }: Share): Amount => ({ ...NOTHING, tokens: tokens ?? 0, nanoUsd: nanoUsd ?? 0 });

/** What a run may still use; null where it is not limited. Never below 0: overspending is not carried on. */
export function leftFor(life: Pick<Life, 'limits' | 'spend' | 'reserved'>, except?: string): Share {
  const { tokens, nanoUsd } = leftOf(accountOf(life, except));
  return { tokens, nanoUsd };
}

export const isLimited = ({ tokens, nanoUsd }: Share): boolean => tokens !== null || nanoUsd !== null;

/** The least amount that a useful call takes. Without a price its cost is unknown and counts as 0. */
export const leastOf = ({ inputTokens, price }: Expected): Pick<Amount, 'tokens' | 'nanoUsd'> => ({
  tokens: inputTokens + MIN_ANSWER_TOKENS,
  nanoUsd: price ? costOf(price, inputTokens, MIN_ANSWER_TOKENS) : 0,
});

/** How long the answer may be so that the call stays within what is left; may be negative. */
export function answerWithin({ tokens, nanoUsd }: Share, { inputTokens, price }: Expected): number {
  const byTokens = tokens === null ? MAX_ANSWER_TOKENS : tokens - inputTokens;
  return Math.min(
    MAX_ANSWER_TOKENS,
    byTokens,
    nanoUsd === null || price === null ? MAX_ANSWER_TOKENS : byMoney(nanoUsd, inputTokens, price),
  );
}

function byMoney(nanoUsd: number, inputTokens: number, price: Price): number {
  const { input, output } = dearest(price);
  const rest = nanoUsd - Math.ceil(inputTokens * input);
  if (output > 0) return Math.floor(rest / output);
  return rest >= 0 ? MAX_ANSWER_TOKENS : -1;
}

/** The reservation for the next call: its input, and the longest answer there is room for. */
export function reservationFor(left: Share, expected: Expected): Reservation {
  const { inputTokens, price } = expected;
  const outputTokens = Math.max(0, answerWithin(left, expected));
  const nanoUsd = price && costOf(price, inputTokens, outputTokens);
  return { tokens: inputTokens + outputTokens, nanoUsd, inputTokens, ...(price ? { price } : {}) };
}

/** The length of an answer where a run has none to go by. */
export const USUAL_ANSWER_TOKENS = 2_000;

/**
 * What is counted as used when the real usage can no longer be known: of a question to a model its input and an answer
 * of the usual length, of anything else the whole reservation; never more than is left.
 */
export function keptUsage({ reserved, limits, spend }: Life, actor: string): Usage | null {
  const held = reserved[actor];
  if (!held) return null;
  const isAnswer = 'inputTokens' in held;
  const { inputTokens: expected = 0, price = undefined } = isAnswer ? held : {};
  const left = leftFor({ limits, spend, reserved }, actor);
  const likely = isAnswer ? expected + usualAnswer(spend) : Infinity;
  const tokens = Math.min(least(held.tokens, left.tokens) ?? 0, likely);
  const inputTokens = Math.min(expected, tokens);
  const worth = isAnswer && price ? costOf(price, inputTokens, tokens - inputTokens) : Infinity;
  const cost = { nanoUsd: Math.min(least(held.nanoUsd, left.nanoUsd) ?? 0, worth), ...(price ? { price } : {}) };
  return {
    inputTokens,
    outputTokens: tokens - inputTokens,
    estimated: true,
    ...(held.nanoUsd === null ? {} : { cost }),
  };
}

/** The mean of the answers so far: the newest step has none. */
const usualAnswer = ({ steps, outputTokens }: Life['spend']): number =>
  outputTokens > 0 ? Math.ceil(outputTokens / Math.max(1, steps - 1)) : USUAL_ANSWER_TOKENS;

/** The smaller of two amounts, of which null is not limited. */
export const least = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.min(one, other);

function costOf(price: Price, inputTokens: number, outputTokens: number): number {
  const { input, output } = dearest(price);
  return Math.ceil(inputTokens * input + outputTokens * output);
}

/** The fault code of a model that is not called because what is left has no room for another call. */
export const BUDGET_EXHAUSTED = 'budget_exhausted';
