import { clientModel, type ModelTerms } from './client-model.ts';
import { type Client, connect } from './connect.ts';
import type { Endpoint } from './endpoint.ts';
import type { Model } from './model.ts';
import { takingWhole } from './taking-whole.ts';

/**
 * A model that answers over the network: one request for one answer, nothing retried, no tool run. Only where it is
 * refused because its answer might get too long a shorter one is asked for. Its failures are `ModelError`s that say
 * what helps, with what was used until then.
 *
 * @example
 * const model = providerModel(endpointOf('ollama/qwen3', {}, process.env));
 */
export function providerModel(endpoint: Endpoint, terms: ModelTerms = {}): Model {
  let only: Promise<Client> | null = null;
  const client = (maxOutputTokens?: number) =>
    endpoint.wire === 'anthropic' ? connected(endpoint, maxOutputTokens) : (only ??= connected(endpoint));
  return clientModel({ ...endpoint, isMarked: true, client }, terms);
}

async function connected(endpoint: Endpoint, maxOutputTokens?: number): Promise<Client> {
  const { wrapLanguageModel } = await import('ai');
  const middleware = takingWhole((send) => connect(endpoint, maxOutputTokens, send));
  return wrapLanguageModel({ model: await connect(endpoint, maxOutputTokens), middleware });
}
