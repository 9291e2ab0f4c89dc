import { NO_ANSWER } from '../../../machines/outcome.ts';
import { ModelError } from './model.ts';
import { OVER_RATE_LIMIT } from './rate-limit.ts';
import { FULL_PART } from './full-window.ts';

/**
 * How providers refuse a request whose answer might get longer than their model, or what is left of its context,
 * allows.
 */
const MAY_GET_TOO_LONG = /max[_ ]?(completion[_ ]|output[_ ]?|new[_ ])?tokens|in the (completion|output)\b/i;
const REFUSED = new Set<string>(['bad_request', NO_ANSWER.full]);
/** A provider that refuses this length too refuses for another reason. */
const SHORTEST = 1_024;

/** How long an answer to ask for where one that may be so long was refused. Null: its length is not the reason. */
export function shorterAfter(error: unknown, maxOutputTokens: number | undefined): number | null {
  if (!(error instanceof ModelError)) return null;
  // Providers count the answer that may come against a rate limit, too.
  const isForLength = REFUSED.has(error.code) && MAY_GET_TOO_LONG.test(error.message);
  if (!isForLength && error.code !== OVER_RATE_LIMIT) return null;
  return maxOutputTokens === undefined || maxOutputTokens < 2 * SHORTEST ? null : Math.floor(maxOutputTokens / 2);
}

/** The same where a request of so many tokens, what goes in and the answer, was refused before: it would be again. */
export function shorterThanRefused(most: number, inputTokens: number, refusedTokens: number): number {
  let shorter = most;
  while (inputTokens + shorter >= refusedTokens && shorter >= 2 * SHORTEST) shorter = Math.floor(shorter / 2);
  return shorter;
}

/**
 * The longest answer that a window has room for beside what goes in, which providers may count higher than it is
 * estimated. `windowTokens` is null where the window is not known.
 */
export function withinWindow(most: number, inputTokens: number, windowTokens: number | null): number {
  if (windowTokens === null) return most;
  return Math.min(most, Math.max(SHORTEST, windowTokens - Math.ceil(inputTokens / FULL_PART)));
}
