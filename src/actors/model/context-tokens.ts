import type { Endpoint } from './endpoint.ts';
import { HOUSES } from './prices.ts';
import type { Providers } from './providers.ts';

/** The size of a model's window that is taken where it is not known, in tokens. */
export const DEFAULT_CONTEXT_TOKENS = 32_000;

/**
 * The size of a model's window in tokens: as the settings of its provider have it, or else the table of prices. Null if
 * unknown. Nothing is fetched.
 */
export async function contextTokensOf(
  { provider, id }: Pick<Endpoint, 'provider' | 'id'>,
  providers: Providers = {},
): Promise<number | null> {
  const given = providers[provider]?.contextTokens ?? {};
  if (Object.hasOwn(given, id)) return given[id] ?? null;
  const house = HOUSES.get(provider);
  if (house === undefined) return null;
  const { calcPrice } = await import('@pydantic/genai-prices');
  return calcPrice({}, id, { providerId: house })?.model.context_window ?? null;
}
