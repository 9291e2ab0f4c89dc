import type { FinishReason } from 'ai';
import { z } from 'zod';
import type { Cut } from './model.ts';

/** What providers say in their own words where the client has one word for several of them. */
const IN_THEIR_WORDS: ReadonlyMap<string, Cut> = new Map<string, Cut>([
  ['refusal', 'refusal'],
  ['model_context_window_exceeded', 'context'],
  // The provider paused a long turn: it goes on where it is asked again.
  ['pause_turn', 'length'],
]);

/** Why an answer is not finished work, from the reason of its end. Null: it is. */
export function cutBy(reason: FinishReason, raw: string | undefined): Cut | null {
  const said = IN_THEIR_WORDS.get(raw ?? '');
  if (said) return said;
  if (reason === 'length') return 'length';
  return reason === 'content-filter' ? 'filter' : null;
}

/** Gemini has made a call that it may not make, and the client has no word for that. */
const ENDS_IN_CALLS: ReadonlySet<string> = new Set(['UNEXPECTED_TOOL_CALL', 'TOO_MANY_TOOL_CALLS']);

/** Tells whether the reason of an end says that calls come. */
export const endsInCalls = (reason: FinishReason, raw: string | undefined): boolean =>
  reason === 'tool-calls' || ENDS_IN_CALLS.has(raw ?? '');

const RefusedDelta = z.object({ delta: z.object({ refusal: z.string().min(1) }) });
const OpenAiChat = z.object({ choices: z.array(RefusedDelta).min(1) });
const RefusedWhole = z.object({ message: z.object({ refusal: z.string().min(1) }) });
const OpenAiChatWhole = z.object({ choices: z.array(RefusedWhole).min(1) });
const OpenAiResponses = z.object({ type: z.enum(['response.refusal.delta', 'response.refusal.done']) });
const RefusedPart = z.object({ type: z.literal('refusal') });
const OpenAiResponse = z
  .object({ output: z.array(z.looseObject({ content: z.array(z.unknown()).optional() })) })
  .refine(({ output }) =>
    output.some(({ content = [] }) => content.some((part) => RefusedPart.safeParse(part).success)),
  );
const Refusal = z.union([OpenAiChat, OpenAiChatWhole, OpenAiResponses, OpenAiResponse]);

/** Whether a piece of an answer is part of a refusal, which the client takes for the text of an answer. */
export const isRefusal = (raw: unknown): boolean => Refusal.safeParse(raw).success;
