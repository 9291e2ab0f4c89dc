import { z } from 'zod';
import { Price } from './price.ts';

const count = z.int().nonnegative();

/** Tokens as the provider counted them. The optional counts are parts of the first two. */
export const Usage = z.strictObject({
  inputTokens: count,
  outputTokens: count,
  cachedInputTokens: count.optional(),
  cacheWriteTokens: count.optional(),
  reasoningTokens: count.optional(),
  /** The provider reported no usage: estimated from the length of request and answer, or the amount reserved. */
  estimated: z.literal(true).optional(),
  /**
   * Absent if the price is unknown. A nano-dollar is a billionth of a US dollar. `price` is absent if this is a sum
   * over calls, each with a price of its own.
   */
  cost: z.strictObject({ nanoUsd: count, price: Price.optional() }).optional(),
});
export type Usage = z.infer<typeof Usage>;

/**
 * The most that one call may use, reserved before it starts. Null is unlimited; steps and tool calls are those of a
 * child run.
 */
export const Share = z.strictObject({
  tokens: count.nullable(),
  nanoUsd: count.nullable(),
  steps: count.nullable().optional(),
  toolCalls: count.nullable().optional(),
});
export type Share = z.infer<typeof Share>;

/** The most that one model call is expected to use, how much of it is input, and the price this is based on. */
export const Reservation = z.strictObject({
  tokens: count,
  nanoUsd: count.nullable(),
  inputTokens: count,
  price: Price.optional(),
});
export type Reservation = z.infer<typeof Reservation>;
