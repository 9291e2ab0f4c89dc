/** Words of letters and digits, and every other character alone, in lower case. */
const TOKEN = /[\p{L}\p{M}\p{N}_]+|\S/gu;

/**
 * How similar two texts are: the share of all their tokens that both have (Jaccard), 0 to 1. Two empty texts are 1.
 *
 * @example
 * similarity('all tests pass', 'all tests fail'); // 0.5
 */
export function similarity(one: string, other: string): number {
  const tokens = tokensIn(one);
  const others = tokensIn(other);
  const shared = [...tokens].filter((token) => others.has(token)).length;
  const all = tokens.size + others.size - shared;
  return all === 0 ? 1 : shared / all;
}

const tokensIn = (text: string): Set<string> => new Set(text.toLowerCase().match(TOKEN) ?? []);
