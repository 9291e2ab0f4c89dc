import type { LanguageModelMiddleware } from 'ai';
import type { Client } from './connect.ts';
import { WholeInstead } from './whole-instead.ts';

/**
 * Reads an answer that came as a whole where a stream was asked for, as its client reads such answers: nothing is asked
 * again. `answering` makes that client over a `fetch` that has the answer.
 */
export const takingWhole = (answering: (send: typeof fetch) => Promise<Client>): LanguageModelMiddleware => ({
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
