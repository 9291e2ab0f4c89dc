import type { Endpoint } from './endpoint.ts';
import { HOUSES } from './prices.ts';

/** The size of a model's window that is taken where it is not known, in tokens. */
export const DEFAULT_CONTEXT_TOKENS = 32_000;

/** The size of a model's window in tokens, as the table of prices has it; null if unknown. Nothing is fetched. */
export async function contextTokensOf({ provider, id }: Pick<Endpoint, 'provider' | 'id'>): Promise<number | null> {
  const house = HOUSES.get(provider);
  if (house === undefined) return null;
  const { calcPrice } = await import('@pydantic/genai-prices');
  return calcPrice({}, id, { providerId: house })?.model.context_window ?? null;
}
