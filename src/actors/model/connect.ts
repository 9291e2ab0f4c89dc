import type { wrapLanguageModel } from 'ai';
import { carefulFetch } from './careful-fetch.ts';
import { thinkingWithin } from './thinking-bound.ts';
import type { Endpoint } from './endpoint.ts';
import type { Wire } from './providers.ts';

export type Client = Parameters<typeof wrapLanguageModel>[0]['model'];

/** The client of one model. Its package is loaded when the first model of that wire is asked, not before. */
export async function connect(
  { wire, provider, id, baseUrl: baseURL, key, headers }: Endpoint,
  maxOutputTokens?: number,
  fetch: typeof globalThis.fetch = carefulFetch,
): Promise<Client> {
  // A key is always passed: without one, the package would send a key from the environment to any URL.
  const apiKey = key ?? 'none';
  switch (wire) {
    case 'openai':
      return (await import('@ai-sdk/openai')).createOpenAI({ baseURL, apiKey, headers, fetch }).responses(id);
    case 'openai-chat':
      return (await import('@ai-sdk/openai')).createOpenAI({ baseURL, apiKey, headers, fetch }).chat(id);
    case 'anthropic':
      return (await import('@ai-sdk/anthropic')).createAnthropic({
        baseURL,
        apiKey,
        headers,
        fetch: thinkingWithin(maxOutputTokens, fetch),
      })(id);
    case 'google':
      return (await import('@ai-sdk/google')).createGoogleGenerativeAI({ baseURL, apiKey, headers, fetch })(id);
    case 'openai-compatible': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      const options = {
        name: provider,
        baseURL,
        headers,
        fetch,
        includeUsage: true,
        ...(key === null ? {} : { apiKey: key }),
      };
      return createOpenAICompatible(options)(id);
    }
  }
}

/** A client of the SDK, and what is known of the provider behind it. */
export interface ConnectedModel extends Pick<Endpoint, 'name' | 'provider' | 'baseUrl' | 'keyRemedy'> {
  /** Null: an API that this program has no client for. */
  readonly wire: Wire | null;
  /** Whether the end of an answer is looked for in what its API sends. */
  readonly isMarked: boolean;
  /** `maxOutputTokens`: the longest answer, for a client that would take what is thought for more than that. */
  readonly client: (maxOutputTokens?: number) => Promise<Client>;
}
