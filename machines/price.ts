import { z } from 'zod';

const dollars = z.number().nonnegative();

/** The cost of a million tokens, in US dollars. Without its own price, cached input costs as much as other input. */
export const Price = z.strictObject({
  inputPerMillion: dollars,
  outputPerMillion: dollars,
  cachedInputPerMillion: dollars.optional(),
  cacheWritePerMillion: dollars.optional(),
  /** Where the price is from: a price table with its date, or the user's settings. */
  source: z.string(),
});
export type Price = z.infer<typeof Price>;

/** Converts dollars a million tokens to nano-dollars a token. */
export const NANO_USD_PER_TOKEN = 1000;

/** The highest cost of one token, in nano-dollars, as input and as output. */
export const dearest = ({ inputPerMillion, outputPerMillion, cacheWritePerMillion = 0 }: Price) => ({
  input: Math.max(inputPerMillion, cacheWritePerMillion) * NANO_USD_PER_TOKEN,
  output: outputPerMillion * NANO_USD_PER_TOKEN,
});
