/** The fault code of a request that is larger than its provider allows in a minute: no waiting makes it smaller. */
export const OVER_RATE_LIMIT = 'over_rate_limit';

const TOKENS_IN_A_TIME = /tokens per (min|minute|hour|day)\b|\bTP[MHD]\b/i;
const COUNTED = /\blimit:?\s*([\d,]+)[^\d]*(?:used:?\s*[\d,]+[^\d]*)?requested:?\s*([\d,]+)/i;

/** Whether a provider's words are of the tokens that it allows in a minute, or in another time. */
export const isOfTokensInATime = (words: string): boolean => TOKENS_IN_A_TIME.test(words);

/** Whether one request alone is more than that. Without numbers, it is taken for one of too many. */
export function isOverRateLimit(words: string): boolean {
  const [, limit, requested] = COUNTED.exec(words) ?? [];
  return isOfTokensInATime(words) && limit !== undefined && tokensIn(requested) > tokensIn(limit);
}

const tokensIn = (said = '0') => Number(said.replaceAll(',', ''));
