import { NANO_USD_PER_TOKEN, type Price } from '../../../../machines/price.ts';
import type { Usage } from '../../../../machines/usage.ts';

const NANO_USD_PER_USD = 1_000_000_000;

/**
 * What commands with a price have cost, as usage: in nano-dollars, and in the input tokens of the run's model that the
 * same money buys. Input is the cheapest, so a budget in tokens is never charged too little. Null `price`: it is
 * unknown, and the money counts alone. Undefined: nothing was spent.
 *
 * @example
 * tierUsage(0.03, { inputPerMillion: 3, outputPerMillion: 15, source: 'table' })?.inputTokens; // 10000
 */
export function tierUsage(costUsd: number, price: Price | null): Usage | undefined {
  if (costUsd <= 0) return undefined;
  const nanoUsd = Math.round(costUsd * NANO_USD_PER_USD);
  const aToken = (price?.inputPerMillion ?? 0) * NANO_USD_PER_TOKEN;
  const inputTokens = aToken > 0 ? Math.ceil(nanoUsd / aToken) : 0;
  return { inputTokens, outputTokens: 0, cost: { nanoUsd } };
}
