import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { expect, onTestFinished, test } from 'vitest';
import { MAX_ANSWER_BYTES_SENT } from '../../../src/actors/model/careful-fetch.ts';
import { endpointOf } from '../../../src/actors/model/endpoint.ts';
import { ModelError } from '../../../src/actors/model/model.ts';
import { providerModel } from '../../../src/actors/model/provider-model.ts';
import { testInTurn } from '../../support/in-turn.ts';
import { requestOf } from './request.ts';

const keys = { OPENAI_API_KEY: 'secret-o', ANTHROPIC_API_KEY: 'secret-a', GEMINI_API_KEY: 'secret-g' };
const names = ['openai/m', 'openai-chat/m', 'anthropic/m', 'google/m', 'openai-compatible/m'];

/** A server that does what no model should. */
async function serving(answer: (incoming: IncomingMessage, outgoing: ServerResponse) => unknown): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function failureOf(name: string, url: string): Promise<ModelError> {
  const variables = ['OPENAI', 'ANTHROPIC', 'GOOGLE_GENERATIVE_AI', 'OPENAI_COMPATIBLE'];
  const environment = { ...keys, ...Object.fromEntries(variables.map((one) => [`${one}_BASE_URL`, url])) };
  const call = { signal: new AbortController().signal, delta: () => {} };
  const failure: unknown = await providerModel(endpointOf(name, {}, environment))
    .answer(requestOf(), call)
    .catch((error: unknown) => error);
  if (failure instanceof ModelError) return failure;
  throw new Error(`${name} did not fail`);
}

const events = (...said: readonly object[]) => said.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('');
const streaming = (outgoing: ServerResponse, ...said: readonly object[]) =>
  outgoing.writeHead(200, { 'content-type': 'text/event-stream' }).end(events(...said));

/** Writes pieces as long as the client listens. */
const pouring = (pieces: Iterable<string>, outgoing: ServerResponse) =>
  pipeline(Readable.from(pieces), outgoing).catch(() => {});

test.each(names)('%s is not followed elsewhere: a key would come along', async (name) => {
  const asked: string[] = [];
  const elsewhere = await serving(({ headers }, outgoing) => {
    asked.push(JSON.stringify(headers));
    outgoing.writeHead(500).end();
  });
  const url = await serving((_, outgoing) => outgoing.writeHead(307, { location: `${elsewhere}/v1/chat` }).end());
  expect(await failureOf(name, url)).toMatchObject({
    code: 'bad_request',
    remedy: null,
    usage: { inputTokens: 0, outputTokens: 0 },
    message: expect.stringContaining(elsewhere),
  });
  expect(asked).toEqual([]);
});

testInTurn.each([
  ['a text', { index: 0, delta: { content: 'x'.repeat(100_000) } }],
  [
    'arguments',
    {
      index: 0,
      delta: { tool_calls: [{ index: 0, id: 'c', function: { name: 'write', arguments: 'y'.repeat(100_000) } }] },
    },
  ],
])('%s without end is read up to a limit, and not requested again', async (_, choice) => {
  let sent = 0;
  const piece = events({ id: 'c', choices: [choice] });
  function* pieces() {
    for (; sent < 2 * MAX_ANSWER_BYTES_SENT; sent += piece.length) yield piece;
  }
  const url = await serving((_, outgoing) => {
    outgoing.writeHead(200, { 'content-type': 'text/event-stream' });
    return pouring(pieces(), outgoing);
  });
  const failure = await failureOf('openai-chat/m', url);
  expect(failure).toMatchObject({
    code: 'bad_answer',
    remedy: null,
    message: expect.stringContaining(`more than ${MAX_ANSWER_BYTES_SENT} bytes`),
  });
  expect(sent).toBeLessThan(2 * MAX_ANSWER_BYTES_SENT);
});

test('a refusal without end is cut, and its status counts', async () => {
  function* pieces() {
    for (;;) yield 'z'.repeat(10_000);
  }
  const url = await serving((_, outgoing) => pouring(pieces(), outgoing.writeHead(503)));
  expect(await failureOf('openai-chat/m', url)).toMatchObject({
    code: 'provider_unavailable',
    remedy: { kind: 'retry' },
  });
});

test.each(names)('G8 %s: a web page in place of an answer costs nothing, and is not asked for again', async (name) => {
  const html = '\n<!doctype html><html><title>\n Sign in </title>log in</html>';
  const page = await serving((_, outgoing) => outgoing.writeHead(200, { 'content-type': 'text/html' }).end(html));
  const failure = await failureOf(name, page);
  expect(failure).toMatchObject({
    code: 'provider_unavailable',
    remedy: null,
    usage: { inputTokens: 0, outputTokens: 0 },
    message:
      `${name}: ${page} answers with a web page (“Sign in”), and not as a model. A proxy or a login page is in the ` +
      'way, or the address is wrong: check the network, and the base URL of the provider',
  });
});

test('a text that is no answer of a model, or a page that is not there, is told with its address', async () => {
  const other = await serving((_, outgoing) => outgoing.writeHead(200).end('Hello'));
  expect((await failureOf('openai-chat/m', other)).message).toBe(
    `openai-chat/m: what ${other}/v1 says is no answer of a model`,
  );
  const nothing = await serving((_, outgoing) => outgoing.writeHead(404).end('<html>gone</html>'));
  expect((await failureOf('openai-chat/m', nothing)).message).toContain(
    `404: Not Found (${nothing}/v1/chat/completions)`,
  );
});

test('an answer that its provider broke off is requested again', async () => {
  const usageMetadata = { promptTokenCount: 5, candidatesTokenCount: 2 };
  const broken = { candidates: [{ content: {}, finishReason: 'MALFORMED_FUNCTION_CALL' }], usageMetadata };
  const url = await serving((_, outgoing) => streaming(outgoing, broken));
  expect(await failureOf('google/m', url)).toMatchObject({
    code: 'provider_unavailable',
    remedy: { kind: 'retry' },
    usage: { inputTokens: 5, outputTokens: 2 },
    message: 'google/m: the answer was broken off (MALFORMED_FUNCTION_CALL)',
  });
});

test('a prompt that Google will not hear is an answer held back, not asked again', async () => {
  const blocked = { promptFeedback: { blockReason: 'SAFETY' }, usageMetadata: { promptTokenCount: 5 } };
  const url = await serving((_, outgoing) => streaming(outgoing, blocked));
  const environment = { ...keys, GOOGLE_GENERATIVE_AI_BASE_URL: url };
  const call = { signal: new AbortController().signal, delta: () => {} };
  const answer = await providerModel(endpointOf('google/m', {}, environment)).answer(requestOf(), call);
  expect(answer).toMatchObject({ text: '', cut: 'filter', usage: { inputTokens: 5 } });
});

test('what a response that failed has used is kept', async () => {
  const usage = { input_tokens: 70, output_tokens: 11, input_tokens_details: { cached_tokens: 30 } };
  const said = [
    { type: 'response.created', response: { id: 'r', created_at: 1, model: 'm' } },
    { type: 'response.output_item.added', output_index: 0, item: { type: 'message', id: 'i' } },
    { type: 'response.output_text.delta', item_id: 'i', delta: 'Half an ans' },
    { type: 'response.failed', response: { error: { code: 'server_error', message: 'lost' }, usage } },
  ].map((one, at) => ({ ...one, sequence_number: at }));
  const url = await serving((_, outgoing) => streaming(outgoing, ...said));
  expect((await failureOf('openai/m', url)).usage).toEqual({
    inputTokens: 70,
    outputTokens: 11,
    cachedInputTokens: 30,
  });
});

test('a word that is no reason to end does not make half an answer whole', async () => {
  const half = { id: 'c', choices: [{ index: 0, delta: { content: 'Half' }, finish_reason: '' }] };
  const url = await serving((_, outgoing) => streaming(outgoing, half));
  expect(await failureOf('openai-compatible/m', url)).toMatchObject({
    message: expect.stringContaining('before it was whole'),
  });
});

const flat = (message: string) => ({ object: 'error', message, type: 'BadRequestError', param: null, code: 400 });
const nested = (message: string, type: string) => ({ error: { code: 400, message, type } });

test.each([
  ['vLLM', flat("This model's maximum context length is 4096 tokens."), /context length is 4096/],
  ['vLLM, older', flat('The prompt (length 40000) is longer than the maximum model length of 32768.'), /of 32768/],
  ['Mistral', flat('Prompt contains 40000 tokens, too large for model with 32768 maximum context length'), /40000/],
  [
    'Mistral, detailed',
    { message: { detail: [{ msg: 'too large: 32768 maximum context length' }] } },
    /too large: 32768/,
  ],
  ['xAI', { code: 'Client', error: "This model's maximum prompt length is 131072." }, /prompt length is 131072/],
  ['LM Studio', { error: 'Trying to keep 9000 tokens when context the overflows: context length of 4096' }, /of 4096/],
  [
    'Gemini',
    [{ error: { code: 400, message: 'The input token count exceeds the maximum number of tokens' } }],
    /count/,
  ],
  ['llama.cpp', nested('request (9000 tokens) exceeds the available context size (4096)', 'x'), /available context/],
  ['TGI', nested('`inputs` tokens + `max_new_tokens` must be <= 8193.', 'x'), /8193/],
])('G5 %s says that the window is full, in its words', async (_, body, words) => {
  const url = await serving((_request, outgoing) => {
    outgoing.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  const failure = await failureOf('openai-compatible/m', url);
  expect(failure).toMatchObject({ code: 'context-full', message: expect.stringMatching(words) });
});

test('a refusal of another shape is told in its words', async () => {
  const url = await serving((_request, outgoing) => {
    outgoing.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify(flat('temperature must be 1')));
  });
  const failure = await failureOf('openai-compatible/m', url);
  expect(failure).toMatchObject({ code: 'bad_request', message: 'openai-compatible/m: 400: temperature must be 1' });
});

test('an answer that did not fit beside what goes in is not asked for again', async () => {
  const asked: number[] = [];
  const url = await serving(async (incoming, outgoing) => {
    const { max_tokens: most } = JSON.parse(Buffer.concat(await incoming.toArray()).toString()) as {
      max_tokens: number;
    };
    asked.push(most);
    if (most > 8_000) {
      const message = `maximum context length is 12000 tokens. You requested ${most} in the completion.`;
      outgoing.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify(flat(message)));
    } else {
      const end = { index: 0, delta: { content: 'Done.' }, finish_reason: 'stop' };
      streaming(outgoing, { id: 'c', created: 1, model: 'm', choices: [end] });
    }
  });
  const model = providerModel(endpointOf('openai-compatible/m', {}, { OPENAI_COMPATIBLE_BASE_URL: url }));
  const call = { signal: new AbortController().signal, delta: () => {} };
  const request = { ...requestOf(), maxOutputTokens: 32_000 };
  await model.answer(request, call);
  await model.answer(request, call);
  expect(asked).toEqual([32_000, 16_000, 8_000, 8_000]);
});

test.each(['openai-chat/m', 'openai-compatible/m'])(
  'G8 %s: an error beside the last piece ends an answer',
  async (name) => {
    const half = { id: 'c', choices: [{ index: 0, delta: { content: 'Half' } }] };
    const error = { code: 502, message: 'Provider disconnected' };
    const broken = { id: 'c', error, choices: [{ index: 0, delta: { content: '' }, finish_reason: 'error' }] };
    const url = await serving((_, outgoing) => streaming(outgoing, half, broken));
    expect(await failureOf(name, url)).toMatchObject({
      code: 'provider_unavailable',
      remedy: { kind: 'retry' },
      message: expect.stringContaining('Provider disconnected'),
    });
  },
);

test('G8 an error that a stream begins with costs nothing', async () => {
  const url = await serving((_, outgoing) => streaming(outgoing, { error: { code: 429, message: 'Slow down' } }));
  expect(await failureOf('openai-compatible/m', url)).toMatchObject({
    code: 'rate_limited',
    remedy: { kind: 'wait' },
    usage: { inputTokens: 0, outputTokens: 0 },
  });
});
