import { describe, expect, onTestFinished, test } from 'vitest';
import { endpointOf } from '../../../src/actors/model/endpoint.ts';
import type { ModelRequest } from '../../../src/actors/model/model.ts';
import { providerModel } from '../../../src/actors/model/provider-model.ts';
import { modelServer } from '../../support/model-server/server.ts';
import { requestOf } from './request.ts';

const KEYS = { OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k', GEMINI_API_KEY: 'k' };
const PLACES = ['OPENAI', 'ANTHROPIC', 'GOOGLE_GENERATIVE_AI', 'OPENAI_COMPATIBLE'];

/** What a server gets of a request to a model of that name, and what the answer says was ignored. */
async function sentTo(name: string, request: Partial<ModelRequest>) {
  const server = await modelServer({ answers: [{ text: 'Yes.' }] });
  onTestFinished(server.close);
  const environment = { ...KEYS, ...Object.fromEntries(PLACES.map((one) => [`${one}_BASE_URL`, server.url])) };
  const call = { signal: new AbortController().signal, delta: () => {} };
  const { ignored } = await providerModel(endpointOf(name, {}, environment)).answer(requestOf(request), call);
  return { body: server.requests[0]?.body, ignored };
}

describe('G8 effort, temperature, length of an answer and options of a provider reach the API', () => {
  test.each([
    [
      'openai/gpt-5',
      { effort: 'high', providerOptions: { openai: { serviceTier: 'flex' } } },
      { reasoning: { effort: 'high' }, max_output_tokens: 900, service_tier: 'flex', store: false },
    ],
    ['openai/gpt-4.1', { temperature: 0.2 }, { temperature: 0.2, max_output_tokens: 900 }],
    [
      'openai-chat/gpt-5',
      { effort: 'low', providerOptions: { 'openai-chat': { user: 'ada' } } },
      { reasoning_effort: 'low', max_completion_tokens: 900, user: 'ada' },
    ],
    [
      'openai-compatible/m',
      { effort: 'medium', temperature: 1.5, providerOptions: { 'openai-compatible': { top_k: 3 } } },
      { reasoning_effort: 'medium', temperature: 1.5, max_tokens: 900, top_k: 3 },
    ],
    [
      'google/gemini-2.5-flash',
      { effort: 'low', temperature: 0.3, providerOptions: { google: { cachedContent: 'c' } } },
      { generationConfig: { temperature: 0.3, maxOutputTokens: 900, thinkingConfig: {} }, cachedContent: 'c' },
    ],
    ['anthropic/claude-3-5-haiku-latest', { temperature: 0.4 }, { temperature: 0.4, max_tokens: 900 }],
    [
      'anthropic/claude-sonnet-4-5',
      { providerOptions: { anthropic: { cacheControl: { type: 'ephemeral', ttl: '1h' } } } },
      { cache_control: { type: 'ephemeral', ttl: '1h' } },
    ],
  ] as const)('G8 %s %j', async (name, parameters, body) => {
    expect((await sentTo(name, { parameters, maxOutputTokens: 900 })).body).toMatchObject(body);
  });

  test('G8 an absent parameter is not sent', async () => {
    const { body, ignored } = await sentTo('openai/gpt-4.1', {});
    expect(body).not.toHaveProperty('temperature');
    expect(body).not.toHaveProperty('reasoning');
    expect(ignored).toBeUndefined();
    expect((await sentTo('openai/gpt-5', { parameters: { effort: 'default' } })).body).not.toHaveProperty('reasoning');
  });

  test('G8 what the model does not take is told, with the words of its client', async () => {
    const { body, ignored } = await sentTo('openai/gpt-5', { parameters: { temperature: 0.2 } });
    expect(body).not.toHaveProperty('temperature');
    expect(ignored).toEqual(['temperature is not supported for reasoning models']);
  });

  test('G8 thinking counts as a part of an answer of Anthropic, which adds it to the answer', async () => {
    const effort = { parameters: { effort: 'high' as const } };
    const at = async (maxOutputTokens: number) =>
      (await sentTo('anthropic/claude-sonnet-4-5', { ...effort, maxOutputTokens })).body;
    expect(await at(8_000)).toMatchObject({ max_tokens: 8_000, thinking: { type: 'enabled', budget_tokens: 4_000 } });
    const short = await at(900);
    expect(short).toMatchObject({ max_tokens: 900 });
    expect(short).not.toHaveProperty('thinking');
  });
});
