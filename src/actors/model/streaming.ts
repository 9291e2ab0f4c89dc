import type { LanguageModelMiddleware } from 'ai';
import type { Client } from './connect.ts';

/** How models say that they answer only as a whole. */
const NO_STREAM = /not implemented|streaming is not supported|UnsupportedFunctionality/i;

const hasNoStream = (error: unknown): boolean =>
  error instanceof Error && !('statusCode' in error) && NO_STREAM.test(`${error.name}: ${error.message}`);

/**
 * A model of the AI SDK that streams, also where it only gives answers as a whole, as stand-ins in tests do. What is
 * `before` it changes the request.
 */
export async function streaming(model: Client, before: readonly LanguageModelMiddleware[] = []): Promise<Client> {
  const { simulateStreamingMiddleware, wrapLanguageModel } = await import('ai');
  const whole = simulateStreamingMiddleware();
  return wrapLanguageModel({
    model,
    middleware: [
      ...before,
      {
        specificationVersion: 'v4',
        wrapStream: async (asked) => {
          try {
            return await asked.doStream();
          } catch (error) {
            if (!whole.wrapStream || !hasNoStream(error)) throw error;
            return whole.wrapStream(asked);
          }
        },
      },
    ],
  });
}
