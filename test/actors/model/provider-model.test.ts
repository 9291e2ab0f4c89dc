import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { endpointOf } from '../../../src/actors/model/endpoint.ts';
import { providerModel } from '../../../src/actors/model/provider-model.ts';
import { quiet } from '../../../src/actors/model/stream-answer.ts';
import { modelServer } from '../../support/model-server/server.ts';
import { requestOf } from './request.ts';

const root = join(import.meta.dirname, '../../..');
const call = { signal: new AbortController().signal, delta: () => {} };

test('Anthropic caches what was said before, and may answer at length', async () => {
  const server = await modelServer({ answers: [{ text: 'Yes.' }] });
  onTestFinished(server.close);
  const environment = { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: server.url };
  await providerModel(endpointOf('anthropic/no-list-knows-it', {}, environment)).answer(requestOf(), call);
  expect(server.requests[0]?.body).toMatchObject({ max_tokens: 32_000, cache_control: { type: 'ephemeral' } });
});

test('a key goes to its own provider, never to another one that asks for none', async () => {
  const server = await modelServer({ answers: [{ text: 'Yes.' }] });
  onTestFinished(server.close);
  const before = process.env['OPENAI_API_KEY'];
  process.env['OPENAI_API_KEY'] = 'sk-of-openai-alone';
  onTestFinished(() => {
    if (before === undefined) delete process.env['OPENAI_API_KEY'];
    else process.env['OPENAI_API_KEY'] = before;
  });
  const providers = { other: { wire: 'openai', baseUrl: server.url } } as const;
  await providerModel(endpointOf('other/m', providers, process.env)).answer(requestOf(), call);
  expect(JSON.stringify(server.requests[0]?.headers)).not.toContain('sk-of-openai-alone');
});

test('headers of the settings are sent', async () => {
  const server = await modelServer({ answers: [{ text: 'Yes.' }] });
  onTestFinished(server.close);
  const providers = {
    other: { wire: 'openai-compatible', baseUrl: server.url, headers: { 'x-team': 'blue' } },
  } as const;
  await providerModel(endpointOf('other/m', providers, {})).answer(requestOf(), call);
  expect(server.requests[0]?.headers).toMatchObject({ 'x-team': 'blue' });
});

test('what the SDK thinks of a request is printed nowhere', async () => {
  const pieces = [
    { type: 'stream-start', warnings: [{ type: 'other', message: 'odd' }] },
    { type: 'text-start', id: '0' },
  ];
  const options = { doStream: async () => ({ stream: ReadableStream.from(pieces) }) };
  const warnings: unknown[] = [];
  const answer = await quiet((warning) => warnings.push(warning)).wrapStream?.(options as never);
  const heard: unknown[] = [];
  for await (const piece of answer?.stream ?? []) heard.push(piece);
  expect(heard).toEqual([
    { type: 'stream-start', warnings: [] },
    { type: 'text-start', id: '0' },
  ]);
  expect(warnings).toEqual([{ type: 'other', message: 'odd' }]);
});

test('a program that asks no model loads no provider, no SDK and no table of prices', () => {
  const tell = `import { registerHooks } from 'node:module';
    registerHooks({ load: (url, context, next) => { process._rawDebug(url); return next(url, context); } });`;
  const hook = `data:text/javascript,${encodeURIComponent(tell)}`;
  const { stderr, status } = spawnSync(process.execPath, ['--import', hook, 'src/cli/main.ts', '--help'], {
    cwd: root,
    encoding: 'utf8',
  });
  expect(status).toBe(0);
  expect(stderr).toContain('src/cli/main.ts');
  expect(stderr.split('\n').filter((url) => /node_modules\/(ai|@ai-sdk|@pydantic)\//.test(url))).toEqual([]);
});
