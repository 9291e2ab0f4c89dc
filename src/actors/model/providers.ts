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

/** What follows the version in the address of a call: some people paste the whole of it. */
const ENDPOINTS = /\/(chat\/completions|responses|messages)$/;
const VERSION = /\/v\d+(beta|alpha)?\d*$/;

/**
 * The address before `/chat/completions`, `/responses`, `/messages` or `/models`, whether a person wrote the version or
 * not. Anthropic's own tools append `/v1` to any path, the others only to an empty one.
 */
export function versionedUrl(given: string, wire: Wire): string {
  const url = given.trim().replace(/\/+$/, '').replace(ENDPOINTS, '').replace(/\/+$/, '');
  if (VERSION.test(url)) return url;
  const hasPath = /^https?:\/\/[^/]+\/./.test(url);
  if (wire === 'google') return hasPath ? url : `${url}/v1beta`;
  return hasPath && wire !== 'anthropic' ? url : `${url}/v1`;
}

const OLLAMA_PORT = '11434';
const USUAL_PORTS: ReadonlyMap<string, string> = new Map([
  ['http://', '80'],
  ['https://', '443'],
]);

/** `OLLAMA_HOST` as its own server reads it: a host, a port, or both, with or without `http://`. */
export function ollamaUrl(said: string): string {
  const [, scheme, host = '', port, path = ''] = /^(https?:\/\/)?([^:/]*)(?::(\d+))?(\/.*)?$/.exec(said) ?? [];
  if (host === '' && port === undefined) return said;
  const reachable = host === '' || host === '0.0.0.0' ? '127.0.0.1' : host;
  const place = port ?? USUAL_PORTS.get(scheme ?? '') ?? OLLAMA_PORT;
  return `${scheme ?? 'http://'}${reachable}:${place}${path}`;
}
