import type { Price } from '../../../machines/events.ts';
import type { Provider } from '@pydantic/genai-prices';
import type { Providers } from './providers.ts';
import { KNOWN_PROVIDERS } from './endpoint.ts';
import { GIVEN_PRICE, HOUSES, priceIn } from './prices.ts';

/** A model that can be named, with what it costs where that is known. */
export interface KnownModel {
  /** As `--model` takes it. */
  readonly name: string;
  readonly price: Price | null;
}

export interface KnownProvider {
  readonly provider: string;
  /** Empty where only its own server knows. */
  readonly models: readonly KnownModel[];
}

/**
 * Every provider that can be named, and its models with known prices: those of the user's settings first. Loads the
 * table of prices, without a request. Any other model of a provider can be named too.
 *
 * @example
 * for (const { provider, models } of await knownModels({})) console.log(provider, models.length);
 */
export async function knownModels(providers: Providers): Promise<readonly KnownProvider[]> {
  const table = await tableOf();
  const names = [...new Set([...KNOWN_PROVIDERS, ...Object.keys(providers)])];
  return names.map((provider) => ({ provider, models: modelsOf(provider, providers, table) }));
}

type Table = ReadonlyMap<string, readonly KnownModel[]>;

function modelsOf(provider: string, providers: Providers, table: Table): readonly KnownModel[] {
  const given = Object.entries(providers[provider]?.prices ?? {}).map(([id, price]): KnownModel => ({
    name: `${provider}/${id}`,
    price: { ...price, source: GIVEN_PRICE },
  }));
  const taken = new Set(given.map(({ name }) => name));
  const listed = (table.get(provider) ?? []).map((model) => ({ ...model, name: `${provider}/${model.name}` }));
  return [...given, ...listed.filter(({ name }) => !taken.has(name))];
}

/** The rows of each house, by the name of our provider. */
async function tableOf(): Promise<Table> {
  const { calcPrice, findProvider } = await import('@pydantic/genai-prices');
  const rows = (house: string) => {
    const provider: Provider | undefined = findProvider({ providerId: house });
    const current = (provider?.models ?? []).filter(({ deprecated }) => !deprecated);
    return current.flatMap(({ id }): KnownModel[] => {
      const found = calcPrice({}, id, { providerId: house });
      const price = found && priceIn(found.model_price, 0);
      return price ? [{ name: id, price }] : [];
    });
  };
  return new Map([...HOUSES].map(([provider, house]) => [provider, rows(house)]));
}
