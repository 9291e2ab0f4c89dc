import { expect, test } from 'vitest';
import { unknownWindows } from '../../../src/app/start/unknown-windows.ts';
import { modelServices } from '../../../src/hosts/local/services/model-services.ts';
import { systemClock } from '../../../src/actors/timer/clock.ts';
import type { ModelOptions } from '../../../src/hosts/local/services/model-services.ts';
import type { AnyModel } from '../../../src/hosts/local/model-by-name.ts';
import { MockLanguageModelV4 } from 'ai/test';

const OF_OLLAMA =
  'The window of ollama/my-model is unknown: 32000 tokens are assumed where a conversation is shortened, and requests ' +
  'grow until one is refused. Set it: providers.ollama.contextTokens["my-model"].';
const own: AnyModel = { name: 'own/model', answer: async () => ({ text: '' }) };
const warningsFor = (model: string, fallbackModel: string | null = null, options: ModelOptions = {}) =>
  unknownWindows(
    { model, fallbackModel },
    modelServices({ environment: { OPENAI_API_KEY: 'k' }, ...options }, systemClock),
  );

test('G8 a window that is unknown is named, with what is assumed and how to set it', async () => {
  expect(await warningsFor('ollama/my-model')).toEqual([OF_OLLAMA]);
  expect(await warningsFor('openai/gpt-5', 'ollama/my-model')).toEqual([OF_OLLAMA]);
  expect(await warningsFor('default', 'ollama/my-model', { model: own })).toEqual([OF_OLLAMA]);
  expect(await warningsFor('default', null, { model: 'ollama/my-model' })).toEqual([OF_OLLAMA]);
  expect((await warningsFor('default', null, { model: new MockLanguageModelV4() }))[0]).toContain(
    'mock-provider/mock-',
  );
});

test('G8 a window that is known, or that no provider has, is not named', async () => {
  const providers = { ollama: { contextTokens: { 'my-model': 8_192 } } };
  expect(await warningsFor('ollama/my-model', null, { providers })).toEqual([]);
  expect(await warningsFor('openai/gpt-5')).toEqual([]);
  expect(await warningsFor('script:a/b.json')).toEqual([]);
  expect(await warningsFor('ollama/my-model', null, { model: own })).toEqual([]);
  expect(await warningsFor('default', 'openai/gpt-5', { model: own })).toEqual([]);
});
