import { z } from 'zod';

const dollars = z.number().nonnegative();

/** What a million tokens cost, in US dollars. Cached input without a price of its own costs what other input does. */
export const Price = z.strictObject({
  inputPerMillion: dollars,
  outputPerMillion: dollars,
  cachedInputPerMillion: dollars.optional(),
  cacheWritePerMillion: dollars.optional(),
  /** Who says so: a table of prices with its date, or a person's own settings. */
  source: z.string(),
});
export type Price = z.infer<typeof Price>;

/** A price of a dollar for a million tokens is so many billionths of a dollar for one. */
export const NANO_USD_PER_TOKEN = 1000;

/** What one token costs at most, in nano-dollars: going in, and coming out. */
export const dearest = ({ inputPerMillion, outputPerMillion, cacheWritePerMillion = 0 }: Price) => ({
  input: Math.max(inputPerMillion, cacheWritePerMillion) * NANO_USD_PER_TOKEN,
  output: outputPerMillion * NANO_USD_PER_TOKEN,
});
