import { contextTokensOf } from './context-tokens.ts';
import { clientModel } from './client-model.ts';
import type { Client } from './connect.ts';
import type { Model } from './model.ts';
import { priceOf } from './prices.ts';
import type { Providers, Wire } from './providers.ts';
import { thinkingOfGiven } from './thinking-setting.ts';
import type { LanguageModelMiddleware } from 'ai';

/** How models say that they answer only as a whole. */
const NO_STREAM = /not implemented|streaming is not supported|UnsupportedFunctionality/i;

const hasNoStream = (error: unknown): boolean =>
  error instanceof Error && !('statusCode' in error) && NO_STREAM.test(`${error.name}: ${error.message}`);

/**
 * A model of the AI SDK that streams, also where it only gives answers as a whole, as stand-ins in tests do. What is
 * `before` it changes the request.
 */
async function streaming(model: Client, before: readonly LanguageModelMiddleware[] = []): Promise<Client> {
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

/**
 * A model of the AI SDK, such as `openai('gpt-5')`, of any specification that the installed SDK takes. By its shape, so
 * that programs compile without the packages that the SDK's own types come from.
 */
export interface SdkModel {
  readonly specificationVersion: 'v2' | 'v3' | 'v4';
  readonly provider: string;
  readonly modelId: string;
  readonly doGenerate: (...options: never[]) => PromiseLike<unknown>;
  readonly doStream: (...options: never[]) => PromiseLike<unknown>;
}

const SPECIFICATIONS: ReadonlySet<unknown> = new Set<SdkModel['specificationVersion']>(['v2', 'v3', 'v4']);

/** Whether a value is such a model. */
export function isSdkModel(value: unknown): value is SdkModel {
  const { specificationVersion, provider, modelId, doStream } = Object(value) as Partial<SdkModel>;
  return (
    SPECIFICATIONS.has(specificationVersion) &&
    typeof provider === 'string' &&
    typeof modelId === 'string' &&
    typeof doStream === 'function'
  );
}

/** By what the SDK calls the APIs that this program knows. */
const WIRES: ReadonlyMap<string, Wire> = new Map<string, Wire>([
  ['openai.responses', 'openai'],
  ['openai.chat', 'openai-chat'],
  ['anthropic.messages', 'anthropic'],
  ['google.generative-ai', 'google'],
]);

/** The provider as names of models have it: `openai` of `openai.responses`. */
const houseOf = (provider: string) =>
  provider === 'openai.chat' ? 'openai-chat' : (provider.split('.', 1)[0] ?? provider);

/** As the command line names it. */
export const nameOfSdkModel = ({ provider, modelId }: SdkModel): string => `${houseOf(provider)}/${modelId}`;

/**
 * A model of the AI SDK as a model of runs. Its address and its key are its own; its price is that of the settings of
 * its provider, or of the table.
 *
 * @example
 * const model = sdkModel(openai('gpt-5'), {});
 */
export function sdkModel(model: SdkModel, providers: Providers, now?: () => number): Model {
  const provider = houseOf(model.provider);
  const id = model.modelId;
  const { prices = {} } = Object.hasOwn(providers, provider) ? (providers[provider] ?? {}) : {};
  const price = Object.hasOwn(prices, id) ? (prices[id] ?? null) : null;
  const thinking = model.provider.endsWith('anthropic.messages') ? [thinkingOfGiven(id)] : [];
  let client: Promise<Client> | null = null;
  return clientModel(
    {
      name: nameOfSdkModel(model),
      provider,
      baseUrl: 'its provider',
      keyRemedy: 'Check the key that its provider was made with.',
      wire: WIRES.get(model.provider) ?? null,
      isMarked: false,
      // `isSdkModel` has told it by its shape: the rest of it is for the SDK alone.
      client: () => (client ??= streaming(model as unknown as Client, thinking)),
    },
    {
      price: priceOf({ provider, id, baseUrl: null, price }),
      contextTokens: () => contextTokensOf({ provider, id }, providers),
      ...(now ? { now } : {}),
    },
  );
}
