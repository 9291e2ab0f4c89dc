import { isAgentModel } from '../../machines/agent-model.ts';
import type { Price } from '../../machines/price.ts';
import type { RunSettings } from '../../machines/settings.ts';
import { type ConfigFault, faultAt } from '../options/config-fault.ts';
import { NANO_USD_PER_USD } from '../text/money.ts';

export type KnownPrices =
  | { readonly kind: 'known'; readonly prices: RunSettings['prices'] }
  | { readonly kind: 'refused'; readonly faults: readonly ConfigFault[] };

/**
 * The prices of a run's models, where its cost is limited: found before the first call, and recorded, so that the cost
 * of every call is estimated beforehand. A run with a cost limit needs models whose price is known.
 */
export async function knownPrices(
  settings: RunSettings,
  { priceOf }: { readonly priceOf: (name: string) => Promise<Price | null> },
  ofChildren: readonly string[] = [],
): Promise<KnownPrices> {
  const { limits, model, fallbackModel, judge } = settings;
  const { maxCostNanoUsd = null } = limits;
  if (maxCostNanoUsd === null) return { kind: 'known', prices: undefined };
  // A meter finds the prices of what an agent of others asks for.
  const names = [model, fallbackModel, judge, ...ofChildren]
    .filter((name) => typeof name === 'string')
    .filter((name) => !isAgentModel(name));
  const found = await Promise.all(names.map(async (name) => [name, await priceOf(name)] as const));
  const faults = found.filter(([, price]) => price === null).map(([name]) => unpriced(name, maxCostNanoUsd));
  if (faults.length > 0) return { kind: 'refused', faults };
  return {
    kind: 'known',
    prices: Object.fromEntries(found.filter((one): one is readonly [string, Price] => one[1] !== null)),
  };
}

function unpriced(name: string, maxCostNanoUsd: number): ConfigFault {
  const slash = name.indexOf('/');
  const [provider, model] = [name.slice(0, slash), JSON.stringify(name.slice(slash + 1))];
  const where = slash > 0 && !name.startsWith('script:') ? `providers.${provider}.prices[${model}]` : 'its own price';
  const expected = `a model whose price is known: the price of ${name} is unknown; set it in ${where}`;
  return faultAt('maxCost', maxCostNanoUsd / NANO_USD_PER_USD, expected);
}
