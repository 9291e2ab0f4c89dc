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

const RefusedDelta = z.object({ delta: z.object({ refusal: z.string().min(1) }) });
const OpenAiChat = z.object({ choices: z.array(RefusedDelta).min(1) });
const OpenAiResponses = z.object({ type: z.enum(['response.refusal.delta', 'response.refusal.done']) });
const Refusal = z.union([OpenAiChat, OpenAiResponses]);

/** Whether a piece of a stream is part of a refusal, which the client takes for the text of an answer. */
export const isRefusal = (raw: unknown): boolean => Refusal.safeParse(raw).success;
