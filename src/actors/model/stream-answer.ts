import type { JSONSchema7, ToolSet, streamText, LanguageModelMiddleware, Warning } from 'ai';
import type { ToolSpec } from '../tool-spec.ts';
import type { ConnectedModel } from './connect.ts';
import type { ModelCall, ModelRequest } from './model.ts';
import { errorInside } from './error-inside.ts';
import type { ReceivedAnswer } from './answer-parts.ts';
import { promptOf } from './sdk-prompt.ts';

/** Takes the SDK's warnings for itself: stderr belongs to the program that embeds this one. */
export const quiet = (hear: (warning: Warning) => void): LanguageModelMiddleware => ({
  specificationVersion: 'v4',
  wrapStream: async ({ doStream }) => {
    const { stream, ...rest } = await doStream();
    const silence = new TransformStream({
      transform: (piece, out) => {
        if (piece.type !== 'stream-start') return out.enqueue(piece);
        for (const warning of piece.warnings) hear(warning);
        return out.enqueue({ ...piece, warnings: [] });
      },
    });
    return { ...rest, stream: stream.pipeThrough(silence) };
  },
});

interface Receiving {
  readonly received: ReceivedAnswer;
  readonly connected: ConnectedModel;
}

/** Asks a model once, and takes in what comes until the answer ends or the call is stopped. */
export async function streamAnswer(
  request: ModelRequest,
  call: ModelCall,
  { received, connected }: Receiving,
): Promise<void> {
  const model = await connected.client(request.maxOutputTokens);
  const { streamText, wrapLanguageModel } = await import('ai');
  const hangUp = new AbortController();
  const answer = streamText({
    model: wrapLanguageModel({ model, middleware: quiet(request.parameters ? received.ignore : () => {}) }),
    messages: promptOf(request.messages, connected.name),
    maxRetries: 0,
    abortSignal: AbortSignal.any([call.signal, hangUp.signal]),
    include: { rawChunks: true },
    ...parametersFor(connected, request),
    ...(request.maxOutputTokens === undefined ? {} : { maxOutputTokens: request.maxOutputTokens }),
    ...(request.system === null ? {} : { instructions: request.system }),
    ...(request.tools.length === 0 ? {} : { tools: await toolSet(request.tools) }),
    onError: () => {},
  });
  try {
    for await (const piece of answer.stream) {
      if (piece.type === 'error') throw piece.error;
      if (piece.type === 'abort') return;
      if (piece.type === 'raw') throwIfBroken(piece.rawValue);
      const text = received.take(piece);
      if (text !== '') call.delta(text);
    }
  } finally {
    // Closes the connection, so that no further tokens are paid for after a failure.
    hangUp.abort();
  }
}

/** OpenRouter tells an error beside a part of the answer, which is all that a client sees of it. */
function throwIfBroken(raw: unknown): void {
  const error = raw instanceof Object && 'choices' in raw ? errorInside(raw) : null;
  if (error) throw error;
}

/**
 * Without `execute`: calls come back as they are, for the run to perform. Without a check: the tool refuses what is
 * odd.
 */
async function toolSet(specs: readonly ToolSpec[]): Promise<ToolSet> {
  const { jsonSchema } = await import('ai');
  return Object.fromEntries(
    specs.map(({ name, description, inputSchema }) => [
      name,
      { description, inputSchema: jsonSchema(inputSchema as JSONSchema7) },
    ]),
  );
}

type Settings = Parameters<typeof streamText>[0];
type Sent = Pick<Settings, 'providerOptions' | 'reasoning' | 'temperature'>;
type ProviderOptions = NonNullable<Settings['providerOptions']>;

/** How a request is made, beside what it says: as the user has it, over what every request to that API has. */
function parametersFor(connected: ConnectedModel, { parameters = {} }: ModelRequest): Sent {
  const { effort = 'default', temperature, providerOptions = {} } = parameters;
  const all = merged(alwaysFor(connected), namedAsInSdk(providerOptions as ProviderOptions));
  return {
    ...(effort === 'default' ? {} : { reasoning: effort }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(Object.keys(all).length === 0 ? {} : { providerOptions: all }),
  };
}

function alwaysFor({ wire, provider }: ConnectedModel): ProviderOptions {
  // The log is the memory of a run: nothing needs to lie with the provider.
  if (wire === 'openai') return { openai: { store: false } };
  // Each step sends the conversation of the one before again: what was read once need not be paid in full twice.
  return wire === 'anthropic' && provider === 'anthropic' ? { anthropic: { cacheControl: { type: 'ephemeral' } } } : {};
}

/** Both APIs of OpenAI have the options of one provider. */
function namedAsInSdk({ 'openai-chat': chat, ...others }: ProviderOptions): ProviderOptions {
  return chat === undefined ? others : { ...others, openai: { ...others['openai'], ...chat } };
}

function merged(one: ProviderOptions, other: ProviderOptions): ProviderOptions {
  const providers = new Set([...Object.keys(one), ...Object.keys(other)]);
  return Object.fromEntries([...providers].map((provider) => [provider, { ...one[provider], ...other[provider] }]));
}
