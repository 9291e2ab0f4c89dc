import type { LanguageModelMiddleware } from 'ai';
import { z } from 'zod';
import { boundedThinking } from './thinking-bound.ts';

type Params = Parameters<NonNullable<LanguageModelMiddleware['transformParams']>>[0]['params'];

/** What the client of Anthropic would send. */
const Sent = z.looseObject({
  max_tokens: z.number(),
  thinking: z.looseObject({ budget_tokens: z.number().optional() }).optional(),
});

/**
 * Bounds thinking and answer together for a model of Anthropic that a program brings, whose `fetch` is its own. What it
 * will send is learned from a client of ours, which sends nothing, and the request is made smaller by that.
 */
export const thinkingOfGiven = (id: string): LanguageModelMiddleware => ({
  specificationVersion: 'v4',
  transformParams: async ({ params }) => {
    const { maxOutputTokens: most } = params;
    if (most === undefined) return params;
    const sent = await whatIsSent(id, params);
    const budget = sent?.thinking?.budget_tokens;
    if (sent === null || budget === undefined || sent.max_tokens <= most) return params;
    return withThinking(params, most, boundedThinking(budget, most));
  },
});

function withThinking({ reasoning: _, ...params }: Params, most: number, budget: number | null): Params {
  const { thinking: __, ...anthropic } = params.providerOptions?.['anthropic'] ?? {};
  const thinking = budget === null ? {} : { thinking: { type: 'enabled', budgetTokens: budget } };
  return {
    ...params,
    maxOutputTokens: most - (budget ?? 0),
    providerOptions: { ...params.providerOptions, anthropic: { ...anthropic, ...thinking } },
  };
}

/** Null: it would send nothing that is understood here. */
async function whatIsSent(id: string, params: Params): Promise<z.infer<typeof Sent> | null> {
  const { createAnthropic } = await import('@ai-sdk/anthropic');
  let body: unknown = null;
  const fetch: typeof globalThis.fetch = async (_, init) => {
    if (typeof init?.body === 'string') body = JSON.parse(init.body);
    throw new Error('nothing is sent');
  };
  const { abortSignal: _, ...asked } = params;
  await createAnthropic({ apiKey: 'none', baseURL: 'http://127.0.0.1:9', fetch })(id)
    .doStream(asked)
    .then(
      () => {},
      () => {},
    );
  return Sent.safeParse(body).data ?? null;
}
