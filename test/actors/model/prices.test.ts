import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { costOf } from '../../../src/budget/cost.ts';
import { endpointOf } from '../../../src/actors/model/endpoint.ts';
import { knownModels } from '../../../src/actors/model/model-knowledge.ts';
import { PRICE_TABLE, priceOf } from '../../../src/actors/model/prices.ts';
import type { Providers } from '../../../src/actors/model/providers.ts';
import { fc } from '../../support/fast-check.ts';

const usage = { inputTokens: 1_000, outputTokens: 100 };
const environment = { OPENAI_API_KEY: 'o', GEMINI_API_KEY: 'g', ANTHROPIC_API_KEY: 'a' };
const priced = (name: string, providers: Providers = {}, of = usage) =>
  priceOf(endpointOf(name, providers, environment))(of);

describe('what an answer costs', () => {
  const price = {
    inputPerMillion: 1.25,
    outputPerMillion: 10,
    cachedInputPerMillion: 0.125,
    cacheWritePerMillion: 2,
    source: 'x',
  };

  test('each part of the tokens at the price of that part, in whole nano-dollars', () => {
    expect(costOf({ inputTokens: 1_000, outputTokens: 100 }, price)).toBe(1_250_000 + 1_000_000);
    expect(costOf({ inputTokens: 1_000, outputTokens: 0, cachedInputTokens: 200, cacheWriteTokens: 300 }, price)).toBe(
      500 * 1_250 + 200 * 125 + 300 * 2_000,
    );
    expect(costOf({ inputTokens: 1, outputTokens: 0 }, { ...price, inputPerMillion: 0.0375 })).toBe(38);
  });

  test('cached input without a price of its own costs what other input does', () =>
    fc.assert(
      fc.property(fc.nat({ max: 1e6 }), fc.nat({ max: 1e6 }), (fresh, cached) => {
        const flat = { inputPerMillion: 3, outputPerMillion: 15, source: 'x' };
        const inputTokens = fresh + cached;
        expect(costOf({ inputTokens, outputTokens: 0, cachedInputTokens: cached }, flat)).toBe(inputTokens * 3_000);
      }),
    ));

  test('parts that say more than the whole cost no less than nothing', () => {
    expect(
      costOf({ inputTokens: 1, outputTokens: 0, cachedInputTokens: 5 }, { ...price, cachedInputPerMillion: 0 }),
    ).toBe(0);
  });
});

describe('who says what a model costs', () => {
  test('a person, before any table', async () => {
    const given = { inputPerMillion: 7, outputPerMillion: 8 };
    expect(await priced('openai/gpt-5', { openai: { prices: { 'gpt-5': given } } })).toEqual({
      ...given,
      source: 'settings',
    });
  });

  test('the table, for both wires of a house, and nothing is fetched', async () => {
    const fetching = vi.spyOn(globalThis, 'fetch');
    const price = { inputPerMillion: 1.25, outputPerMillion: 10, cachedInputPerMillion: 0.125, source: PRICE_TABLE };
    expect(await priced('openai/gpt-5')).toEqual(price);
    expect(await priced('openai-chat/gpt-5')).toEqual(price);
    expect(await priced('anthropic/claude-sonnet-4-5')).toMatchObject({
      inputPerMillion: 3,
      cacheWritePerMillion: 3.75,
    });
    expect(fetching).not.toHaveBeenCalled();
  });

  test('a longer request may have another price', async () => {
    expect(await priced('google/gemini-2.5-pro')).toMatchObject({ inputPerMillion: 1.25, outputPerMillion: 10 });
    const long = await priced('google/gemini-2.5-pro', {}, { ...usage, inputTokens: 200_001 });
    expect(long).toMatchObject({ inputPerMillion: 2.5, outputPerMillion: 15 });
  });

  test('a local model costs nothing; the price of an unknown model is null', async () => {
    expect(await priced('ollama/qwen3')).toMatchObject({ inputPerMillion: 0, outputPerMillion: 0 });
    expect(await priced('openai/no-such-model')).toBeNull();
    const near = { near: { wire: 'openai-compatible', baseUrl: 'http://127.0.0.1:9' } } as const;
    expect(await priced('near/gpt-5', near)).toBeNull();
  });

  test('the table that a price names is the one that is installed', async () => {
    const file = join(import.meta.dirname, '../../../package.json');
    const { dependencies } = JSON.parse(await readFile(file, 'utf8'));
    expect(PRICE_TABLE).toBe(`genai-prices ${dependencies['@pydantic/genai-prices']}`);
  });
});

describe('which models can be named', () => {
  test('every provider, with the models whose price is known; given prices come first', async () => {
    const known = await knownModels({
      openai: { prices: { 'gpt-5': { inputPerMillion: 1, outputPerMillion: 2 } } },
      mine: { wire: 'openai', baseUrl: 'http://x.example', prices: { m: { inputPerMillion: 0, outputPerMillion: 0 } } },
    });
    const models = new Map(known.map(({ provider, models }) => [provider, models]));
    expect([...models.keys()]).toEqual([
      'openai',
      'openai-chat',
      'anthropic',
      'google',
      'openrouter',
      'openai-compatible',
      'ollama',
      'mine',
    ]);
    expect(models.get('mine')).toEqual([
      { name: 'mine/m', price: { inputPerMillion: 0, outputPerMillion: 0, source: 'settings' } },
    ]);
    expect(models.get('openai')?.filter(({ name }) => name === 'openai/gpt-5')).toMatchObject([
      { price: { source: 'settings' } },
    ]);
    expect(models.get('anthropic')?.length).toBeGreaterThan(3);
  });
});
