import type { Price } from '../../../machines/price.ts';
import { CHEAP_MODELS } from '../../actors/model/cheap-models.ts';
import { knownModels } from '../../actors/model/model-knowledge.ts';
import type { Providers } from '../../actors/model/providers.ts';

/**
 * The cheapest known model of the provider of a model: of those that the user has given a price, the one that we know
 * to be cheap, and the model itself. Null: none has a known price, as with a script. Sends no request.
 *
 * @example
 * await cheapestModel('openai/gpt-5', {}); // 'openai/gpt-5-nano'
 */
export async function cheapestModel(name: string, providers: Providers): Promise<string | null> {
  const slash = name.indexOf('/');
  if (slash < 0) return null;
  const provider = name.slice(0, slash);
  const own = Object.keys(providers[provider]?.prices ?? {});
  const ids = [...own, CHEAP_MODELS.get(provider), name.slice(slash + 1)];
  const names = new Set(ids.filter((id) => id !== undefined).map((id) => `${provider}/${id}`));
  const known = (await knownModels(providers)).find((one) => one.provider === provider)?.models ?? [];
  const priced = known.filter((model) => names.has(model.name));
  return priced.toSorted((one, other) => costOf(one.price) - costOf(other.price))[0]?.name ?? null;
}

/** A question of this kind has some times more input than answer, at some times its price: each counts the same. */
const costOf = (price: Price | null): number => (price ? price.inputPerMillion + price.outputPerMillion : Infinity);
