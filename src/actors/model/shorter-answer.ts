import { ModelError } from './model.ts';

/**
 * How providers refuse a request whose answer might get longer than their model, or what is left of its context,
 * allows.
 */
const MAY_GET_TOO_LONG = /max[_ ]?(completion[_ ]|output[_ ]?|new[_ ])?tokens|in the (completion|output)\b/i;
const REFUSED = new Set(['bad_request', 'context-full']);
/** A provider that refuses this length too refuses for another reason. */
const SHORTEST = 1_024;

/** How long an answer to ask for where one that may be so long was refused. Null: its length is not the reason. */
export function shorterAfter(error: unknown, maxOutputTokens: number | undefined): number | null {
  if (!(error instanceof ModelError) || !REFUSED.has(error.code) || !MAY_GET_TOO_LONG.test(error.message)) return null;
  return maxOutputTokens === undefined || maxOutputTokens < 2 * SHORTEST ? null : Math.floor(maxOutputTokens / 2);
}

/** The same where a request of so many tokens, what goes in and the answer, was refused before: it would be again. */
export function shorterThanRefused(most: number, inputTokens: number, refusedTokens: number): number {
  let shorter = most;
  while (inputTokens + shorter >= refusedTokens && shorter >= 2 * SHORTEST) shorter = Math.floor(shorter / 2);
  return shorter;
}
