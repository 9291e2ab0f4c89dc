import { z } from 'zod';

const OpenAiChat = z.object({ choices: z.array(z.object({ finish_reason: z.string().min(1) })).min(1) });
const OpenAiResponses = z.object({ type: z.enum(['response.completed', 'response.incomplete']) });
const WholeResponse = z.object({ object: z.literal('response'), status: z.enum(['completed', 'incomplete']) });
const Anthropic = z.object({ type: z.literal('message_delta'), delta: z.object({ stop_reason: z.string() }) });
const WholeMessage = z.object({ type: z.literal('message'), stop_reason: z.string() });
const Google = z.object({ candidates: z.array(z.object({ finishReason: z.string() })).min(1) });
/** What was asked is refused, and nothing else comes. */
const GoogleBlocked = z.object({ promptFeedback: z.object({ blockReason: z.string().min(1) }) });
const EndMarker = z.union([OpenAiChat, OpenAiResponses, WholeResponse, Anthropic, WholeMessage, Google, GoogleBlocked]);

/** The reason of an end whose server said that the answer is over, and not why. */
export const END_UNSAID = 'unsaid';

/** Whether a piece of a stream says that the answer is whole. A stream that ends without one was cut. */
export const isEndMarker = (raw: unknown): boolean => EndMarker.safeParse(raw).success;
