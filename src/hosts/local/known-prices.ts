import type { Price } from '../../../machines/price.ts';
import type { RunSettings } from '../../../machines/settings.ts';
import { type ConfigFault, faultAt } from '../../config/fault.ts';
import { NANO_USD_PER_USD } from '../../config/money.ts';
import type { Troupe } from './troupe.ts';

export type KnownPrices =
  | { readonly kind: 'known'; readonly prices: RunSettings['prices'] }
  | { readonly kind: 'refused'; readonly faults: readonly ConfigFault[] };

/**
 * What the models of a run cost, where money is limited: said before the first call, and recorded, so that every call is
 * reckoned beforehand. Whoever limits money has to use models whose price is known.
 */
export async function knownPrices(settings: RunSettings, { priceOf }: Pick<Troupe, 'priceOf'>): Promise<KnownPrices> {
  const { limits, model, fallbackModel } = settings;
  const { maxCostNanoUsd = null } = limits;
  if (maxCostNanoUsd === null) return { kind: 'known', prices: undefined };
  const names = fallbackModel ? [model, fallbackModel] : [model];
  const found = await Promise.all(names.map(async (name) => [name, await priceOf(name)] as const));
  const faults = found.filter(([, price]) => price === null).map(([name]) => unpriced(name, maxCostNanoUsd));
  if (faults.length > 0) return { kind: 'refused', faults };
  return { kind: 'known', prices: Object.fromEntries(found.filter((one): one is readonly [string, Price] => one[1] !== null)) };
}

function unpriced(name: string, maxCostNanoUsd: number): ConfigFault {
  const slash = name.indexOf('/');
  const [provider, model] = [name.slice(0, slash), JSON.stringify(name.slice(slash + 1))];
  const where = slash > 0 && !name.startsWith('script:') ? `providers.${provider}.prices[${model}]` : 'its own price';
  const expected = `a model whose price is known: nobody knows what ${name} costs; say it in ${where}`;
  return faultAt('maxCost', maxCostNanoUsd / NANO_USD_PER_USD, expected);
}
