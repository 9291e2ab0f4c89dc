import { z } from 'zod';

/** The API of a server. `openai` is the Responses API, `openai-chat` the older Chat Completions API. */
export const Wire = z.enum(['openai', 'openai-chat', 'anthropic', 'google', 'openai-compatible'], {
  error: 'openai, openai-chat, anthropic, google or openai-compatible',
});
export type Wire = z.infer<typeof Wire>;

const dollars = z.number({ error: 'US dollars for a million tokens' }).nonnegative();

/** A configured price: US dollars for a million tokens. */
export const GivenPrice = z.strictObject({
  inputPerMillion: dollars,
  outputPerMillion: dollars,
  cachedInputPerMillion: dollars.optional(),
  cacheWritePerMillion: dollars.optional(),
});
export type GivenPrice = z.infer<typeof GivenPrice>;

/** Settings of a provider beyond its defaults. A new name needs `wire` and `baseUrl`. */
const ProviderSettings = z.strictObject({
  wire: Wire.optional(),
  baseUrl: z.url({ protocol: /^https?$/, error: 'a URL that begins with http:// or https://' }).optional(),
  /** The environment variable that holds the key. */
  apiKeyVariable: z.string().min(1).optional(),
  headers: z.record(z.string(), z.string()).optional(),
  /** By model id, as it stands after the slash. */
  prices: z.record(z.string(), GivenPrice).optional(),
  /** The size of the window in tokens, by model id. */
  contextTokens: z.record(z.string(), z.int({ error: 'a number of tokens' }).positive()).optional(),
});

/** By the name before the slash of a model's name: `openai` in `openai/gpt-5`. */
export const Providers = z.record(z.string().regex(/^[a-z][a-z0-9-]*$/, 'a name in small letters'), ProviderSettings);
export type Providers = z.infer<typeof Providers>;
