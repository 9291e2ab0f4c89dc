import type { Usage } from '../../machines/events.ts';
import { NANO_USD_PER_TOKEN, type Price } from '../../machines/price.ts';

/** The longest request there can be: some prices rise with the length. */
export const LONGEST: Usage = { inputTokens: Number.MAX_SAFE_INTEGER, outputTokens: 0 };

/** What an answer cost, in whole nano-dollars: each part of its tokens at the price of that part. */
export function costOf(usage: Usage, price: Price): number {
  const { inputTokens, outputTokens, cachedInputTokens: cached = 0, cacheWriteTokens: written = 0 } = usage;
  const { inputPerMillion, outputPerMillion, cachedInputPerMillion, cacheWritePerMillion } = price;
  const dollars =
    Math.max(0, inputTokens - cached - written) * inputPerMillion +
    cached * (cachedInputPerMillion ?? inputPerMillion) +
    written * (cacheWritePerMillion ?? inputPerMillion) +
    outputTokens * outputPerMillion;
  return Math.round(dollars * NANO_USD_PER_TOKEN);
}

/** Usage together with what it cost and the price that was used. */
export function withCost(usage: Usage, price: Price | null): Usage {
  return price === null ? usage : { ...usage, cost: { nanoUsd: costOf(usage, price), price } };
}
