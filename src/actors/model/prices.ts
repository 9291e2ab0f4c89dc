import type { ModelPrice, TieredPrices } from '@pydantic/genai-prices';
import type { Price, Usage } from '../../../machines/events.ts';
import type { Endpoint } from './endpoint.ts';

/** The table that prices are taken from. Its data comes with the package: nothing is fetched. */
export const PRICE_TABLE = 'genai-prices 0.1.8';
export const GIVEN_PRICE = 'settings';

/** The price of one model's answers; null if unknown. */
export type PriceOf = (usage: Usage) => Promise<Price | null>;

interface Priced extends Pick<Endpoint, 'provider' | 'id' | 'price'> {
  /** Null: unknown, so that the table is asked for the provider by its name. */
  readonly baseUrl: string | null;
}

/** A price from the settings precedes the table's. Tokens of a local model are free. */
export function priceOf({ provider, id, baseUrl, price }: Priced): PriceOf {
  if (price) return async () => ({ ...price, source: GIVEN_PRICE });
  if (provider === 'ollama') return async () => ({ inputPerMillion: 0, outputPerMillion: 0, source: 'ollama' });
  return async (usage) => {
    const { calcPrice } = await import('@pydantic/genai-prices');
    const house = HOUSES.get(provider) ?? (baseUrl === null ? provider : null);
    const where = house === null ? { providerApiUrl: baseUrl ?? '' } : { providerId: house };
    const found = calcPrice({}, id, where);
    return found && priceIn(found.model_price, usage.inputTokens);
  };
}

/** The table's names of the providers that need no address to be found: both wires of OpenAI sell the same. */
export const HOUSES: ReadonlyMap<string, string> = new Map([
  ['openai', 'openai'],
  ['openai-chat', 'openai'],
  ['anthropic', 'anthropic'],
  ['google', 'google'],
  ['openrouter', 'openrouter'],
]);

/** A row of the table for a request of that length; null where it does not price tokens. */
export function priceIn(row: ModelPrice, inputTokens: number): Price | null {
  const input = dollars(row['input_mtok'], inputTokens);
  const output = dollars(row['output_mtok'], inputTokens);
  if (input === null || output === null) return null;
  const cached = dollars(row['cache_read_mtok'], inputTokens);
  const written = dollars(row['cache_write_mtok'], inputTokens);
  return {
    inputPerMillion: input,
    outputPerMillion: output,
    ...(cached === null ? {} : { cachedInputPerMillion: cached }),
    ...(written === null ? {} : { cacheWritePerMillion: written }),
    source: PRICE_TABLE,
  };
}

/** Where a price rises with the length of the request, the whole request costs what its highest step says. */
function dollars(price: number | TieredPrices | undefined, inputTokens: number): number | null {
  if (price === undefined) return null;
  if (typeof price === 'number') return price;
  return price.tiers.filter(({ start }) => inputTokens > start).at(-1)?.price ?? price.base;
}
