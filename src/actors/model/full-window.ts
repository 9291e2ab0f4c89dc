import { sentence } from '../../text/sentence.ts';
import type { Model, ModelRequest } from './model.ts';
import { estimate } from './token-estimate.ts';

/** A request may take this part of its model's window: the rest is for the answer, and for what estimates miss. */
export const FULL_PART = 0.8;

/** What is expected of a request, and what was learned about the window from requests that were refused. */
export interface Room {
  /** The expected input. */
  readonly inputTokens: number;
  /** A provider has counted input before; else the estimate of the request in hand may be larger. */
  readonly isCounted: boolean;
  /** The most that may fit, where a provider has refused more; null: none was refused. */
  readonly learnedTokens: number | null;
}

/** The estimated tokens of a request: tool descriptions included. */
export const expectedTokens = (
  request: ModelRequest,
  { inputTokens, isCounted }: Omit<Room, 'learnedTokens'>,
): number => (isCounted ? inputTokens : Math.max(inputTokens, estimate(request, '', []).inputTokens));

const SMALLER_REQUEST =
  'Shorten the task or its instructions, offer fewer tools, or choose a model with a larger window.';

/** A message that a window is too small for a request of which nothing can be summarised, with what helps. */
export const withRemedy = (message: string): string => `${sentence(message)} ${SMALLER_REQUEST}`;

/** Something beside the task and the summary can be summarised. */
export const isSummarisable = ({ messages }: ModelRequest): boolean => messages.length > 2;

/** The window of a model in tokens: as it is known, or as refusals have shown it. Null: neither is known. */
export async function windowOf(model: Model, learnedTokens: number | null): Promise<number | null> {
  const known = (await model.contextTokens?.().catch(() => null)) ?? null;
  return known === null || learnedTokens === null ? (known ?? learnedTokens) : Math.min(known, learnedTokens);
}

/** Whether a conversation has to be summarised before the model is asked. */
export async function isFull(model: Model, request: ModelRequest, room: Room): Promise<boolean> {
  const window = await windowOf(model, room.learnedTokens);
  if (window === null) return false;
  return expectedTokens(request, room) > (room.learnedTokens === window ? window : window * FULL_PART);
}
