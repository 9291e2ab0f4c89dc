import type { Share, Usage } from '../../../machines/events.ts';
import { NO_USAGE } from './model-answer.ts';
import type { Model, ModelRequest } from './model.ts';
import { counted, priceNow } from './model-actor.ts';
import { type Allowance, Purse } from './purse.ts';

/** What a request may have used that was made before a crash, and whose result is unknown: the most it might have. */
export async function lostUsage(model: Model, request: ModelRequest, allowance: Allowance): Promise<Usage> {
  const purse = new Purse(allowance, request);
  const room = purse.answerTokens(await priceNow(model));
  return counted(model, room === null ? NO_USAGE : purse.worst(room));
}

/** The usage of two requests together. */
export function addedUsage(one: Usage, other: Usage): Usage {
  if (one.inputTokens + one.outputTokens === 0) return other;
  if (other.inputTokens + other.outputTokens === 0) return one;
  const price = other.cost?.price ?? one.cost?.price;
  const nanoUsd = (one.cost?.nanoUsd ?? 0) + (other.cost?.nanoUsd ?? 0);
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    ...(one.estimated || other.estimated ? { estimated: true } : {}),
    ...(one.cost || other.cost ? { cost: { nanoUsd, ...(price ? { price } : {}) } } : {}),
  };
}

/** What is left of an allowance after such a usage. */
export const lessUsed = <Left extends Share>(left: Left, { inputTokens, outputTokens, cost }: Usage): Left => ({
  ...left,
  tokens: left.tokens === null ? null : Math.max(0, left.tokens - inputTokens - outputTokens),
  nanoUsd: left.nanoUsd === null ? null : Math.max(0, left.nanoUsd - (cost?.nanoUsd ?? 0)),
});
