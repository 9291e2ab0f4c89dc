import type { JSONSchema7, ToolSet } from 'ai';
import type { Price, Usage } from '../../../machines/events.ts';
import type { ToolSpec } from '../tool-spec.ts';
import { NO_USAGE } from './answer.ts';
import { MAX_ANSWER_TOKENS } from '../../budget/allowance.ts';
import { estimatedTokens } from '../../budget/estimated-tokens.ts';
import { type Client, connect } from './connect.ts';
import type { Endpoint } from './endpoint.ts';
import { Heard } from './heard.ts';
import { type Model, type ModelAnswer, type ModelCall, ModelError, type ModelRequest } from './model.ts';
import { promptOf } from './prompt.ts';
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
 * A model that answers over the network: one request for one answer, nothing retried, no tool run. Only where it is refused
 * because its answer might get too long a shorter one is asked for. Its failures are `ModelError`s that say what helps, with
 * what was used until then.
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
    const heard = new Heard();
    try {
      await listen(await client, request, call, { heard, endpoint });
    } catch (error) {
      const usage = !heard.hasBegun && wasNeverAsked(error) ? NO_USAGE : usedFor(request, heard);
      if (call.signal.aborted) throw new ModelError('stopped', 'The model was told to stop.', usage);
      throw providerFailure(error, { name, keyRemedy, usage, now: now(), hasBegun: heard.hasBegun });
    }
    const usage = usedFor(request, heard);
    if (call.signal.aborted) throw new ModelError('stopped', 'The model was told to stop.', usage);
    if (!heard.isComplete || heard.brokenBy !== null) throw noAnswer(endpoint, heard, usage);
    return { ...heard.answer(usage), model: name };
  };
  const answer = async (request: ModelRequest, call: ModelCall): Promise<ModelAnswer> => {
    const { maxOutputTokens = defaultLength(endpoint) } = request;
    for (let most = atMost(maxOutputTokens, longest); ; ) {
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

interface Ear {
  readonly heard: Heard;
  readonly endpoint: Endpoint;
}

async function listen(model: Client, request: ModelRequest, call: ModelCall, { heard, endpoint }: Ear): Promise<void> {
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
      const text = heard.take(piece);
      if (text !== '') call.delta(text);
    }
  } finally {
    // Whatever a server still has to say after a failure is paid for by nobody.
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

const atMost = (wanted: number | undefined, longest: number) => (wanted === undefined ? undefined : Math.min(wanted, longest));

/** Without `execute`: calls come back as they are, for the run to perform. Without a check: the tool refuses what is odd. */
async function toolSet(specs: readonly ToolSpec[]): Promise<ToolSet> {
  const { jsonSchema } = await import('ai');
  return Object.fromEntries(
    specs.map(({ name, description, inputSchema }) => [name, { description, inputSchema: jsonSchema(inputSchema as JSONSchema7) }]),
  );
}

/**
 * What was used as its provider has counted it, and as it can be guessed where it has not, or says that it was nothing. A
 * stream that dies may have told a first count only: no less has come out than was heard.
 */
function usedFor(request: ModelRequest, heard: Heard): Usage {
  const guess = estimate(request, heard.text, heard.calls);
  const atLeast = Math.max(guess.outputTokens, estimatedTokens(heard.characters));
  const told = heard.usage ?? NO_USAGE;
  const inputTokens = told.inputTokens || guess.inputTokens;
  const isWhole = heard.isComplete && heard.brokenBy === null && told.outputTokens > 0;
  const outputTokens = isWhole ? told.outputTokens : Math.max(told.outputTokens, atLeast);
  if (inputTokens === told.inputTokens && outputTokens === told.outputTokens) return told;
  return { ...told, inputTokens, outputTokens, estimated: true };
}
