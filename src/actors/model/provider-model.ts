import type { JSONSchema7, ToolSet } from 'ai';
import type { Price, Usage } from '../../../machines/events.ts';
import type { ToolSpec } from '../tool-spec.ts';
import { NO_USAGE } from './model-answer.ts';
import { MAX_ANSWER_TOKENS } from '../../budget/allowance.ts';
import { estimatedTokens } from '../../budget/estimated-tokens.ts';
import { type Client, connect } from './connect.ts';
import type { Endpoint } from './endpoint.ts';
import { ReceivedAnswer } from './received.ts';
import { type Model, type ModelAnswer, type ModelCall, ModelError, type ModelRequest } from './model.ts';
import { promptOf } from './sdk-prompt.ts';
import { noAnswer, providerFailure, wasNeverAsked } from './provider-failure.ts';
import { quiet } from './quiet.ts';
import { shorterAfter } from './shorter-answer.ts';
import { estimate } from './token-estimate.ts';

export interface ProviderModelOptions {
  /** What the model costs, by what was used: some prices rise with the length of what is asked. */
  readonly price?: (usage: Usage) => Promise<Price | null>;
  /** Milliseconds since 1970: a provider may say until when it wants to be left alone. */
  readonly now?: () => number;
}

/**
 * A model that answers over the network: one request for one answer, nothing retried, no tool run. Only where it is
 * refused because its answer might get too long a shorter one is asked for. Its failures are `ModelError`s that say
 * what helps, with what was used until then.
 *
 * @example
 * const model = providerModel(endpointOf('ollama/qwen3', {}, process.env));
 */
export function providerModel(endpoint: Endpoint, { price, now = Date.now }: ProviderModelOptions = {}): Model {
  let client: Promise<Client> | null = null;
  const { name, keyRemedy } = endpoint;
  let longest = Infinity;
  const once = async (request: ModelRequest, call: ModelCall): Promise<ModelAnswer> => {
    client ??= connect(endpoint);
    const received = new ReceivedAnswer();
    try {
      await listen(await client, request, call, { received, endpoint });
    } catch (error) {
      const usage = !received.hasBegun && wasNeverAsked(error) ? NO_USAGE : usedFor(request, received);
      if (call.signal.aborted) throw new ModelError('stopped', 'The model was told to stop.', usage);
      throw providerFailure(error, { name, keyRemedy, usage, now: now(), hasBegun: received.hasBegun });
    }
    const usage = usedFor(request, received);
    if (call.signal.aborted) throw new ModelError('stopped', 'The model was told to stop.', usage);
    if (!received.isComplete || received.brokenBy !== null) throw noAnswer(endpoint, received, usage);
    return { ...received.answer(usage), model: name };
  };
  const answer = async (request: ModelRequest, call: ModelCall): Promise<ModelAnswer> => {
    const { maxOutputTokens = defaultLength(endpoint) } = request;
    for (let most = atMost(maxOutputTokens, longest); ;) {
      try {
        return await once(most === undefined ? request : { ...request, maxOutputTokens: most }, call);
      } catch (error) {
        const shorter = shorterAfter(error, most);
        if (shorter === null) throw error;
        most = shorter;
        // Else it was too long beside what goes in, this time.
        if (error instanceof ModelError && error.code === 'bad_request') longest = shorter;
      }
    }
  };
  return { name, answer, ...(price ? { price } : {}) };
}

interface Receiving {
  readonly received: ReceivedAnswer;
  readonly endpoint: Endpoint;
}

async function listen(
  model: Client,
  request: ModelRequest,
  call: ModelCall,
  { received, endpoint }: Receiving,
): Promise<void> {
  const { streamText, wrapLanguageModel } = await import('ai');
  const hangUp = new AbortController();
  const answer = streamText({
    model: wrapLanguageModel({ model, middleware: quiet }),
    messages: promptOf(request.messages, endpoint.name),
    maxRetries: 0,
    abortSignal: AbortSignal.any([call.signal, hangUp.signal]),
    include: { rawChunks: true },
    ...settingsFor(endpoint),
    ...(request.maxOutputTokens === undefined ? {} : { maxOutputTokens: request.maxOutputTokens }),
    ...(request.system === null ? {} : { instructions: request.system }),
    ...(request.tools.length === 0 ? {} : { tools: await toolSet(request.tools) }),
    onError: () => {},
  });
  try {
    for await (const piece of answer.stream) {
      if (piece.type === 'error') throw piece.error;
      if (piece.type === 'abort') return;
      const text = received.take(piece);
      if (text !== '') call.delta(text);
    }
  } finally {
    // Closes the connection, so that no further tokens are paid for after a failure.
    hangUp.abort();
  }
}

function settingsFor({ wire, provider }: Endpoint) {
  // The log is the memory of a run: nothing needs to lie with the provider.
  if (wire === 'openai') return { providerOptions: { openai: { store: false } } };
  if (wire !== 'anthropic') return {};
  // Each step sends the conversation of the one before again: what was read once need not be paid in full twice.
  const cached = { providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } } };
  return provider === 'anthropic' ? cached : {};
}

/** An answer of a model that no list knows would otherwise end after 4,096 tokens, in the middle of a file. */
const defaultLength = ({ wire }: Endpoint) => (wire === 'anthropic' ? MAX_ANSWER_TOKENS : undefined);

const atMost = (wanted: number | undefined, longest: number) =>
  wanted === undefined ? undefined : Math.min(wanted, longest);

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

/**
 * The usage that the provider counted, or an estimate where it counted nothing. A broken stream may have reported only
 * a first count: the output is at least what was received.
 */
function usedFor(request: ModelRequest, received: ReceivedAnswer): Usage {
  const guess = estimate(request, received.text, received.calls);
  const atLeast = Math.max(guess.outputTokens, estimatedTokens(received.characters));
  const told = received.usage ?? NO_USAGE;
  const inputTokens = told.inputTokens || guess.inputTokens;
  const isWhole = received.isComplete && received.brokenBy === null && told.outputTokens > 0;
  const outputTokens = isWhole ? told.outputTokens : Math.max(told.outputTokens, atLeast);
  if (inputTokens === told.inputTokens && outputTokens === told.outputTokens) return told;
  return { ...told, inputTokens, outputTokens, estimated: true };
}
