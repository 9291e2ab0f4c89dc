import type { LanguageModelUsage } from 'ai';
import { z } from 'zod';
import type { Usage } from '../../../machines/events.ts';

const tokens = z.int().nonnegative().nullish();
const OpenAiChat = z.object({
  usage: z.object({
    prompt_tokens: tokens,
    completion_tokens: tokens,
    prompt_tokens_details: z.object({ cached_tokens: tokens }).nullish(),
    completion_tokens_details: z.object({ reasoning_tokens: tokens }).nullish(),
  }),
});
/** In the final event of the stream, which may be a failure. */
const OpenAiResponses = z.object({
  response: z.object({
    usage: z.object({
      input_tokens: tokens,
      output_tokens: tokens,
      input_tokens_details: z.object({ cached_tokens: tokens }).nullish(),
      output_tokens_details: z.object({ reasoning_tokens: tokens }).nullish(),
    }),
  }),
});
const AnthropicUsage = z.object({
  input_tokens: tokens,
  output_tokens: tokens,
  cache_read_input_tokens: tokens,
  cache_creation_input_tokens: tokens,
});
const AnthropicStart = z.object({ type: z.literal('message_start'), message: z.object({ usage: AnthropicUsage }) });
const AnthropicDelta = z.object({ type: z.literal('message_delta'), usage: AnthropicUsage });
const Google = z.object({
  usageMetadata: z.object({
    promptTokenCount: tokens,
    candidatesTokenCount: tokens,
    thoughtsTokenCount: tokens,
    cachedContentTokenCount: tokens,
    toolUsePromptTokenCount: tokens,
  }),
});

/** What an answer that came to its end has used. Null where its provider did not say. */
export function usageOf({
  inputTokens,
  outputTokens,
  inputTokenDetails,
  outputTokenDetails,
}: LanguageModelUsage): Usage | null {
  if (inputTokens === undefined && outputTokens === undefined) return null;
  return made({
    input: inputTokens,
    output: outputTokens,
    cached: inputTokenDetails.cacheReadTokens,
    written: inputTokenDetails.cacheWriteTokens,
    reasoning: outputTokenDetails.reasoningTokens,
  });
}

/** What a piece of a stream says of the tokens used by then: all that is known where the stream dies. */
export function reportedUsage(raw: unknown, before: Usage | null): Usage | null {
  const chat = OpenAiChat.safeParse(raw);
  if (chat.success) {
    const { usage } = chat.data;
    return made({
      input: usage.prompt_tokens,
      output: usage.completion_tokens,
      cached: usage.prompt_tokens_details?.cached_tokens,
      reasoning: usage.completion_tokens_details?.reasoning_tokens,
    });
  }
  const responses = OpenAiResponses.safeParse(raw);
  if (responses.success) {
    const { usage } = responses.data.response;
    return made({
      input: usage.input_tokens,
      output: usage.output_tokens,
      cached: usage.input_tokens_details?.cached_tokens,
      reasoning: usage.output_tokens_details?.reasoning_tokens,
    });
  }
  const start = AnthropicStart.safeParse(raw);
  if (start.success) return anthropic(start.data.message.usage);
  const delta = AnthropicDelta.safeParse(raw);
  if (delta.success)
    return before && { ...before, outputTokens: delta.data.usage.output_tokens ?? before.outputTokens };
  const google = Google.safeParse(raw);
  if (!google.success) return null;
  const { usageMetadata: said } = google.data;
  return made({
    input: (said.promptTokenCount ?? 0) + (said.toolUsePromptTokenCount ?? 0),
    output: (said.candidatesTokenCount ?? 0) + (said.thoughtsTokenCount ?? 0),
    cached: said.cachedContentTokenCount,
    reasoning: said.thoughtsTokenCount,
  });
}

function anthropic(usage: z.infer<typeof AnthropicUsage>): Usage {
  const { cache_read_input_tokens: cached, cache_creation_input_tokens: written } = usage;
  const input = (usage.input_tokens ?? 0) + (cached ?? 0) + (written ?? 0);
  return made({ input, output: usage.output_tokens, cached, written });
}

type Count = number | null | undefined;

function made(of: { input: Count; output: Count; cached?: Count; written?: Count; reasoning?: Count }): Usage {
  const [cached, written, reasoning] = [whole(of.cached), whole(of.written), whole(of.reasoning)];
  return {
    inputTokens: whole(of.input),
    outputTokens: whole(of.output),
    ...(cached ? { cachedInputTokens: cached } : {}),
    ...(written ? { cacheWriteTokens: written } : {}),
    ...(reasoning ? { reasoningTokens: reasoning } : {}),
  };
}

/** A count as the log has counts. A negative one, or what is no number, counts as absent: no answer is lost for it. */
const whole = (count: Count): number =>
  typeof count === 'number' && count > 0 ? Math.min(Math.round(count), Number.MAX_SAFE_INTEGER) : 0;
