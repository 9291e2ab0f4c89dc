import { describe, expect, test } from 'vitest';
import { ollamaUrl, versionedUrl, type Providers } from '../../../src/actors/model/providers.ts';
import { endpointOf, type Environment } from '../../../src/actors/model/endpoint.ts';
import { ModelError } from '../../../src/actors/model/model.ts';

const keys: Environment = { OPENAI_API_KEY: 'o', ANTHROPIC_API_KEY: 'a', GEMINI_API_KEY: 'g' };
const refusal = (name: string, providers: Providers = {}, environment: Environment = {}): ModelError => {
  try {
    endpointOf(name, providers, environment);
  } catch (error) {
    if (error instanceof ModelError) return error;
  }
  throw new Error(`${name} was not refused`);
};

describe('a name says where a model answers', () => {
  test.each([
    ['openai/gpt-5', 'openai', 'https://api.openai.com/v1', 'o'],
    ['openai-chat/gpt-5', 'openai-chat', 'https://api.openai.com/v1', 'o'],
    ['anthropic/claude-x', 'anthropic', 'https://api.anthropic.com/v1', 'a'],
    ['google/gemini-x', 'google', 'https://generativelanguage.googleapis.com/v1beta', 'g'],
    ['ollama/qwen3:8b', 'openai-compatible', 'http://127.0.0.1:11434/v1', null],
  ])('%s', (name, wire, baseUrl, key) => {
    expect(endpointOf(name, {}, keys)).toMatchObject({
      name,
      wire,
      baseUrl,
      key,
      id: name.slice(name.indexOf('/') + 1),
    });
  });

  test('the id keeps its own slashes', () => {
    const environment = { OPENAI_COMPATIBLE_BASE_URL: 'http://localhost:8000' };
    expect(endpointOf('openai-compatible/meta/llama-4', {}, environment)).toMatchObject({
      id: 'meta/llama-4',
      key: null,
    });
  });

  test('settings come before the environment, and a new name needs a wire and an address', () => {
    const providers: Providers = {
      openai: { baseUrl: 'https://proxy.example/v1', apiKeyVariable: 'PROXY_KEY', headers: { 'x-team': '7' } },
      mine: { wire: 'anthropic', baseUrl: 'http://10.0.0.1:9000' },
    };
    const environment = { ...keys, PROXY_KEY: 'p', OPENAI_BASE_URL: 'https://other.example/v1' };
    expect(endpointOf('openai/gpt-5', providers, environment)).toMatchObject({
      baseUrl: 'https://proxy.example/v1',
      key: 'p',
      headers: { 'x-team': '7' },
    });
    expect(endpointOf('mine/m', providers, {})).toMatchObject({
      wire: 'anthropic',
      baseUrl: 'http://10.0.0.1:9000/v1',
      key: null,
    });
    expect(refusal('odd/m', { odd: { baseUrl: 'http://x.example' } }).message).toContain('providers.odd.wire');
    expect(refusal('odd/m', { odd: { wire: 'openai' } }).message).toContain('providers.odd.baseUrl');
  });

  test('the first variable that is set holds the key, blanks around it do not count', () => {
    const google = (environment: Environment) => endpointOf('google/g', {}, environment).key;
    expect(google({ GOOGLE_API_KEY: 'c', GEMINI_API_KEY: 'b' })).toBe('b');
    expect(google({ GOOGLE_GENERATIVE_AI_API_KEY: ' ', GOOGLE_API_KEY: ' c\n' })).toBe('c');
  });

  test.each(['sk-first\nsecond', 'sk-with blank', 'sk-кириллица', 'sk-\u0007'])(
    'a key that cannot be sent is refused, and not repeated: %j',
    (key) => {
      const refused = refusal('openai/gpt-5', {}, { OPENAI_API_KEY: key });
      expect(refused).toMatchObject({ code: 'authentication', message: expect.stringContaining('OPENAI_API_KEY') });
      expect(refused.message).not.toContain('sk-');
    },
  );

  test.each([
    ['localhost:8080/v1', 'OPENAI_BASE_URL is no URL'],
    ['::no url', 'OPENAI_BASE_URL is no URL'],
    ['file:///etc/passwd', 'OPENAI_BASE_URL is no URL'],
    ['http://me:hunter2@proxy.example', 'OPENAI_BASE_URL holds a user name or a password'],
  ])('an address that cannot be asked is refused, and not repeated: %s', (address, said) => {
    const refused = refusal('openai/gpt-5', {}, { ...keys, OPENAI_BASE_URL: address });
    expect(refused).toMatchObject({ code: 'unknown_model', message: expect.stringContaining(said) });
    expect(refused.message).not.toContain('hunter2');
  });

  test('a header that cannot be sent is named, without its value', () => {
    const providers = { openai: { headers: { 'x-team': 'blue', 'x-key': 'secret\nvalue' } } };
    const refused = refusal('openai/gpt-5', providers, keys);
    expect(refused.message).toBe('providers.openai.headers: x-key cannot be sent as it is');
  });

  test('what to do about a refused key names where the key came from, or may come from', () => {
    const remedy = (name: string, environment: Environment = {}) =>
      endpointOf(name, { house: { wire: 'openai-chat', baseUrl: 'http://x.example' } }, environment).keyRemedy;
    expect(remedy('google/g', { GOOGLE_API_KEY: 'c', GEMINI_API_KEY: 'b' })).toBe('Check the key in GEMINI_API_KEY.');
    expect(remedy('openai-compatible/m', { OPENAI_COMPATIBLE_BASE_URL: 'http://x.example' })).toBe(
      'No key was sent: put one into OPENAI_COMPATIBLE_API_KEY.',
    );
    expect(remedy('house/m')).toBe(
      'No key was sent: put one into a variable, and name it in providers.house.apiKeyVariable.',
    );
  });

  test('a missing key names the variable to set', () => {
    expect(refusal('openai/gpt-5', {}, { OPENAI_API_KEY: '' })).toMatchObject({
      code: 'authentication',
      message: 'openai/gpt-5 needs a key. Set the environment variable OPENAI_API_KEY.',
    });
    const asked = { mine: { wire: 'openai', baseUrl: 'http://x.example', apiKeyVariable: 'MINE_KEY' } } as const;
    expect(refusal('mine/m', asked).message).toContain('MINE_KEY');
  });

  test.each([
    ['opnai/gpt-5', 'did you mean openai/gpt-5?'],
    ['gpt-5', 'did you mean openai/gpt-5?'],
    ['claude-opus', 'did you mean anthropic/claude-opus?'],
    ['gemini-pro', 'did you mean google/gemini-pro?'],
    ['whatever', 'known: openai/MODEL, openai-chat/MODEL, anthropic/MODEL'],
    ['openai/', 'does not say whose model it is'],
    ['constructor/x', 'no provider is called constructor'],
  ])('%s is no name, and what is one is told', (name, told) => {
    expect(refusal(name, {}, keys)).toMatchObject({ code: 'unknown_model', message: expect.stringContaining(told) });
  });

  test('a missing address is asked for', () => {
    expect(refusal('openai-compatible/m').message).toContain('OPENAI_COMPATIBLE_BASE_URL');
  });
});

describe('addresses as people write them', () => {
  test.each([
    ['openai', 'http://h:1', 'http://h:1/v1'],
    ['openai', 'http://h:1/', 'http://h:1/v1'],
    ['openai', 'https://h/v1/', 'https://h/v1'],
    ['openai', 'https://h/v1/responses', 'https://h/v1'],
    ['openai-chat', 'https://h/v1/chat/completions', 'https://h/v1'],
    ['openai-compatible', 'https://h/api/paas', 'https://h/api/paas'],
    ['anthropic', 'https://h', 'https://h/v1'],
    ['anthropic', 'https://h/anthropic', 'https://h/anthropic/v1'],
    ['anthropic', 'https://h/anthropic/v1/messages', 'https://h/anthropic/v1'],
    ['google', 'https://h', 'https://h/v1beta'],
    ['google', 'https://h/v1beta', 'https://h/v1beta'],
    ['google', 'https://h/proxy', 'https://h/proxy'],
  ] as const)('%s at %s', (wire, given, url) => expect(versionedUrl(given, wire)).toBe(url));

  test.each([
    ['gpu', 'http://gpu:11434'],
    ['http-gateway', 'http://http-gateway:11434'],
    ['0.0.0.0', 'http://127.0.0.1:11434'],
    ['0.0.0.0:8080', 'http://127.0.0.1:8080'],
    [':8080', 'http://127.0.0.1:8080'],
    ['http://gpu:9', 'http://gpu:9'],
    ['https://gpu.example', 'https://gpu.example:443'],
    ['http://gpu/ollama', 'http://gpu:80/ollama'],
  ])('OLLAMA_HOST=%s', (said, url) => expect(ollamaUrl(said)).toBe(url));
});
