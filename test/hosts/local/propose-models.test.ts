import { expect, test } from 'vitest';
import { knownModels } from '../../../src/actors/model/model-knowledge.ts';
import { USUAL_MODELS } from '../../../src/actors/model/usual-models.ts';
import { offeredCap } from '../../../src/app/start/cap-offer.ts';
import { proposedModels } from '../../../src/app/start/propose-models.ts';

test('G9 a model is proposed for each key that is set, and a key that cannot be sent is named', () => {
  const environment = { GEMINI_API_KEY: 'g', OPENAI_API_KEY: ' o ', ANTHROPIC_API_KEY: 'two words' };
  const { models, obstacles } = proposedModels({}, environment);
  expect(models).toEqual([
    { model: 'openai/gpt-5', variable: 'OPENAI_API_KEY' },
    { model: 'google/gemini-2.5-pro', variable: 'GEMINI_API_KEY' },
  ]);
  expect(obstacles).toEqual([expect.stringContaining('ANTHROPIC_API_KEY does not hold a valid key')]);
  expect(proposedModels({}, {}).models).toEqual([]);
});

test('G9 a provider of the user goes first, with its first model, and only with its key', () => {
  const prices = { large: { inputPerMillion: 1, outputPerMillion: 1 } };
  const house = { wire: 'openai-chat', baseUrl: 'http://house.example', apiKeyVariable: 'HOUSE_KEY', prices } as const;
  const environment = { HOUSE_KEY: 'h', OPENROUTER_API_KEY: 'r' };
  expect(proposedModels({ house }, environment).models.map(({ model }) => model)).toEqual([
    'house/large',
    'openrouter/anthropic/claude-sonnet-4.5',
  ]);
  expect(proposedModels({ house }, {}).models).toEqual([]);
});

test('G9 every model that is proposed has a known price', async () => {
  const known = await knownModels({});
  const names = known.flatMap(({ models }) => models.map(({ name }) => name));
  for (const [provider, id] of USUAL_MODELS) expect(names).toContain(`${provider}/${id}`);
});

test('G9 the cap that is offered is one that the model can keep', async () => {
  const environment = { OPENAI_API_KEY: 'o', OPENAI_COMPATIBLE_BASE_URL: 'http://127.0.0.1:9' };
  expect(await offeredCap('openai/gpt-5', {}, environment)).toMatchObject({ option: 'maxCost' });
  expect(await offeredCap('openai-compatible/x', {}, environment)).toMatchObject({ option: 'maxTokens' });
  expect(await offeredCap('ollama/qwen3', {}, environment)).toBeNull();
  expect(await offeredCap('script:model.json', {}, environment)).toBeNull();
});
