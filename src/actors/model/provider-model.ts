import { clientModel, type ModelTerms } from './client-model.ts';
import { type Client, connect } from './connect.ts';
import type { Endpoint } from './endpoint.ts';
import type { Model } from './model.ts';
import type { LanguageModelMiddleware } from 'ai';
import { WholeInstead } from './whole-instead.ts';

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

/**
 * Reads an answer that came as a whole where a stream was asked for, as its client reads such answers: nothing is asked
 * again. `answering` makes that client over a `fetch` that has the answer.
 */
const takingWhole = (answering: (send: typeof fetch) => Promise<Client>): LanguageModelMiddleware => ({
  specificationVersion: 'v4',
  wrapStream: async ({ doStream, params }) => {
    try {
      return await doStream();
    } catch (error) {
      if (!(error instanceof WholeInstead)) throw error;
      const { simulateStreamingMiddleware, wrapLanguageModel } = await import('ai');
      const model = await answering(async () => Response.json(error.body));
      const whole = wrapLanguageModel({ model, middleware: simulateStreamingMiddleware() });
      const { stream, ...rest } = await whole.doStream(params);
      return { ...rest, stream: stream.pipeThrough(after({ type: 'raw', rawValue: error.body })) };
    }
  },
});

/** A piece before all others. */
const after = <Piece, First extends Piece>(first: First): TransformStream<Piece, Piece> =>
  new TransformStream({ start: (out) => out.enqueue(first) });
