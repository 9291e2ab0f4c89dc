import { countIn, isObject, type JsonObject, listIn, textIn, within } from '../json-object.ts';

/** The API that an agent speaks with its provider. */
export type Wire = 'anthropic' | 'openai' | 'gemini';

/** Tokens of one call, as the provider has counted them. */
export interface Counted {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Parts of the input. */
  readonly cachedInputTokens: number;
  readonly cacheWriteTokens: number;
}

export const NOTHING_COUNTED: Counted = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, cacheWriteTokens: 0 };

const PAID = /\/(?:chat\/completions|responses|messages|completions)$|:(?:stream)?generateContent$/i;

/** Tells if a request is one that costs something: it is a POST to a path that answers a prompt. */
export const isPaid = (method: string, path: string): boolean =>
  method === 'POST' && PAID.test(path.split('?', 1)[0] ?? '');

/** The model that a request asks for, by its body or its path. */
export const modelOf = (path: string, asked: JsonObject): string =>
  textIn(asked['model']) || (/models\/([^:/?]+)/.exec(path)?.[1] ?? '');

/** The longest answer that a request allows. Null: it does not say. */
export function answerLimit(asked: JsonObject): number | null {
  const said =
    countIn(asked['max_tokens']) ||
    countIn(asked['max_completion_tokens']) ||
    countIn(asked['max_output_tokens']) ||
    countIn(within(asked, 'generationConfig')['maxOutputTokens']);
  return said || null;
}

/**
 * A request with a shorter answer. Null: none can be asked for, because the model may think for longer than that.
 */
export function withAnswerLimit(wire: Wire, path: string, asked: JsonObject, tokens: number): JsonObject | null {
  if (wire === 'gemini') {
    return { ...asked, generationConfig: { ...within(asked, 'generationConfig'), maxOutputTokens: tokens } };
  }
  if (wire === 'anthropic') {
    const thought = countIn(within(asked, 'thinking')['budget_tokens']);
    return thought >= tokens ? null : { ...asked, max_tokens: tokens };
  }
  if (/\/responses(?:\?|$)/.test(path)) return { ...asked, max_output_tokens: tokens };
  const { max_tokens: _older, ...rest } = asked;
  return 'max_tokens' in asked ? { ...rest, max_tokens: tokens } : { ...rest, max_completion_tokens: tokens };
}

/**
 * Reads the usage in one object of an answer: the whole body, or the data of one event. Null: it has none. Numbers of
 * a stream are sums so far, so the last ones count; a part that is not told keeps what was told before.
 */
export function usageIn(wire: Wire, said: JsonObject, before: Counted): Counted | null {
  if (wire === 'anthropic') return anthropicUsage(said, before);
  return wire === 'gemini' ? geminiUsage(said) : openaiUsage(said);
}

function anthropicUsage(said: JsonObject, before: Counted): Counted | null {
  const usage = isObject(said['usage']) ? said['usage'] : within(said, 'message', 'usage');
  if (Object.keys(usage).length === 0) return null;
  const told = (name: string, so: number) => (usage[name] === undefined ? so : countIn(usage[name]));
  const cachedInputTokens = told('cache_read_input_tokens', before.cachedInputTokens);
  const cacheWriteTokens = told('cache_creation_input_tokens', before.cacheWriteTokens);
  const bare = before.inputTokens - before.cachedInputTokens - before.cacheWriteTokens;
  return {
    inputTokens: told('input_tokens', bare) + cachedInputTokens + cacheWriteTokens,
    outputTokens: told('output_tokens', before.outputTokens),
    cachedInputTokens,
    cacheWriteTokens,
  };
}

function openaiUsage(said: JsonObject): Counted | null {
  const usage = isObject(said['usage']) ? said['usage'] : within(said, 'response', 'usage');
  if (Object.keys(usage).length === 0) return null;
  const details = within(usage, 'prompt_tokens' in usage ? 'prompt_tokens_details' : 'input_tokens_details');
  return {
    inputTokens: countIn(usage['prompt_tokens'] ?? usage['input_tokens']),
    outputTokens: countIn(usage['completion_tokens'] ?? usage['output_tokens']),
    cachedInputTokens: countIn(details['cached_tokens']),
    cacheWriteTokens: 0,
  };
}

/** Thoughts are paid for as output, and stand beside the answer. */
function geminiUsage(said: JsonObject): Counted | null {
  const usage = within(said, 'usageMetadata');
  if (Object.keys(usage).length === 0) return null;
  return {
    inputTokens: countIn(usage['promptTokenCount']) + countIn(usage['toolUsePromptTokenCount']),
    outputTokens: countIn(usage['candidatesTokenCount']) + countIn(usage['thoughtsTokenCount']),
    cachedInputTokens: countIn(usage['cachedContentTokenCount']),
    cacheWriteTokens: 0,
  };
}

/** The objects of a body, of which some APIs send a list. */
export const objectsIn = (body: unknown): readonly JsonObject[] =>
  (Array.isArray(body) ? listIn(body) : [body]).filter(isObject);

/** The body by which a client of that API understands that it is refused, with words for people. */
export function refusalBody(wire: Wire, status: number, message: string): string {
  if (wire === 'anthropic') return JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message } });
  if (wire === 'gemini') return JSON.stringify({ error: { code: status, message, status: 'PERMISSION_DENIED' } });
  return JSON.stringify({
    error: { message, type: 'invalid_request_error', code: 'budget_exceeded', param: null },
  });
}
