import { z } from 'zod';

/** Anthropic refuses a smaller one. */
const MIN_THINKING_TOKENS = 1_024;

const Body = z.looseObject({
  max_tokens: z.number(),
  thinking: z.looseObject({ budget_tokens: z.number().optional() }).optional(),
});

/**
 * `fetch` for the client of Anthropic, which adds the tokens for thinking to those of an answer: a limit of the answer
 * would not hold. Both together are bounded. Where there is no room to think, the answer comes without.
 */
export function thinkingWithin(maxOutputTokens: number | undefined, send: typeof fetch): typeof fetch {
  if (maxOutputTokens === undefined) return send;
  return (input, init) => {
    if (typeof init?.body !== 'string') return send(input, init);
    const read = Body.safeParse(JSON.parse(init.body));
    if (!read.success || read.data.max_tokens <= maxOutputTokens) return send(input, init);
    return send(input, { ...init, body: JSON.stringify(bounded(read.data, maxOutputTokens)) });
  };
}

function bounded({ thinking, ...body }: z.infer<typeof Body>, most: number) {
  const budget = thinking?.budget_tokens;
  const shorter = { ...body, max_tokens: most };
  if (budget === undefined) return thinking ? { ...shorter, thinking } : shorter;
  const least = boundedThinking(budget, most);
  return least === null ? shorter : { ...shorter, thinking: { ...thinking, budget_tokens: least } };
}

/** The tokens for thinking that an answer of `most` tokens has room for. Null: too few to think. */
export function boundedThinking(budget: number, most: number): number | null {
  const least = Math.min(budget, Math.floor(most / 2));
  return least < MIN_THINKING_TOKENS ? null : least;
}
