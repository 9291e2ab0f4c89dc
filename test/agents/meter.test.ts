import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { Price } from '../../machines/price.ts';
import type { Allowed } from '../../src/agents/meter/meter-account.ts';
import { Meter } from '../../src/agents/meter/meter.ts';
import type { Wire } from '../../src/agents/meter/wire.ts';
import { fc } from '../support/fast-check.ts';

const KEY = 'sk-of-the-person';
const PRICE: Price = { inputPerMillion: 1, outputPerMillion: 2, source: 'a test' };
const NO_LIMIT: Allowed = { tokens: null, nanoUsd: null };

type Answering = (request: IncomingMessage, body: string, answer: ServerResponse) => void;

/** A server in place of a provider, and a meter before it. */
async function metered(answering: Answering, { allowed = NO_LIMIT, wire = 'anthropic', priced = true } = {}) {
  const seen: { url: string; headers: IncomingMessage['headers']; body: string }[] = [];
  const server = createServer((request, answer) => {
    let body = '';
    request.on('data', (piece: Buffer) => (body += piece.toString()));
    request.on('end', () => {
      seen.push({ url: request.url ?? '', headers: request.headers, body });
      answering(request, body, answer);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close().closeAllConnections());
  const { port } = server.address() as AddressInfo;
  const key =
    wire === 'anthropic' ? { header: 'x-api-key', value: KEY } : { header: 'authorization', value: `Bearer ${KEY}` };
  const door = { wire: wire as Wire, name: 'stub', address: `http://127.0.0.1:${port}/base`, key };
  const open = await new Meter().open({
    doors: [door],
    allowed,
    priceOf: async () => (priced ? PRICE : null),
    now: () => 1_000,
  });
  onTestFinished(open.close);
  const post = (path: string, asked: unknown, headers = {}, signal?: AbortSignal) =>
    fetch(`${open.base(wire as Wire)}${path}`, {
      method: 'POST',
      body: JSON.stringify(asked),
      headers: { 'content-type': 'application/json', 'x-api-key': open.key, ...headers },
      ...(signal ? { signal } : {}),
    });
  return { open, post, seen };
}

const json = (answer: ServerResponse, body: unknown, status = 200, headers = {}) =>
  void answer.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

const events = (answer: ServerResponse, said: readonly unknown[]) => {
  answer.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const one of said) answer.write(`data: ${JSON.stringify(one)}\n\n`);
  answer.end();
};

const ASKED = { model: 'm', max_tokens: 100, messages: [] };
const MESSAGE = { type: 'message', usage: { input_tokens: 30, output_tokens: 7, cache_read_input_tokens: 10 } };

test('X3 the real key reaches the provider, the stand-in does not, and the call is counted', async () => {
  const { open, post, seen } = await metered((_, __, answer) => json(answer, MESSAGE));
  const got = await post('/v1/messages?key=abc', ASKED, { authorization: 'Bearer x', cookie: 'c' });
  expect(await got.json()).toEqual(MESSAGE);
  expect(seen[0]?.url).toBe('/base/v1/messages');
  expect(seen[0]?.headers).toMatchObject({ 'x-api-key': KEY });
  expect(JSON.stringify(seen)).not.toContain(open.key);
  expect(seen[0]?.headers).not.toHaveProperty('cookie');
  const { usage, calls } = open.record();
  expect(calls).toBe(1);
  expect(usage).toMatchObject({ inputTokens: 40, outputTokens: 7, cachedInputTokens: 10 });
  expect(usage.cost?.nanoUsd).toBe((40 * 1 + 7 * 2) * 1000);
});

test.each([
  [
    'anthropic',
    '/v1/messages',
    [
      { type: 'message_start', message: { usage: { input_tokens: 5, output_tokens: 1 } } },
      { type: 'message_delta', usage: { output_tokens: 9 } },
    ],
    [5, 9],
  ],
  [
    'openai',
    '/responses',
    [{ type: 'response.completed', response: { usage: { input_tokens: 5, output_tokens: 9 } } }],
    [5, 9],
  ],
  [
    'openai',
    '/chat/completions',
    [{ choices: [{}] }, { choices: [], usage: { prompt_tokens: 5, completion_tokens: 9 } }],
    [5, 9],
  ],
  [
    'gemini',
    '/v1beta/models/m:streamGenerateContent',
    [
      { usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 4 } },
      { usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 6, thoughtsTokenCount: 3 } },
    ],
    [5, 9],
  ],
] as const)(
  'X3 a stream of %s at %s is passed on, and its last numbers count',
  async (wire, path, said, [input, output]) => {
    const { open, post } = await metered((_, __, answer) => events(answer, said), { wire });
    const text = await (await post(path, { ...ASKED, stream: true })).text();
    for (const one of said) expect(text).toContain(JSON.stringify(one));
    await expect.poll(() => open.record().usage).toMatchObject({ inputTokens: input, outputTokens: output });
    expect(open.record().usage).not.toHaveProperty('estimated');
  },
);

test('X3 a stream of chat that does not ask for its usage is made to', async () => {
  const { post, seen } = await metered((_, __, answer) => events(answer, []), { wire: 'openai' });
  await (await post('/chat/completions', { ...ASKED, stream: true })).text();
  expect(JSON.parse(seen[0]?.body ?? '')).toMatchObject({ stream_options: { include_usage: true } });
});

test('X3 a call that could pass a cap is refused in words that no client repeats, and never leaves', async () => {
  const { open, post, seen } = await metered((_, __, answer) => json(answer, MESSAGE), {
    allowed: { tokens: 90, nanoUsd: null },
  });
  const got = await post('/v1/messages', ASKED);
  expect([got.status, got.headers.get('x-should-retry')]).toEqual([402, 'false']);
  expect(await got.text()).toContain('budget reached');
  expect(seen).toEqual([]);
  expect(open.record()).toMatchObject({ calls: 0, refusal: expect.stringContaining('90 tokens') });
});

test('X3 a call is given a shorter answer where there is room for one', async () => {
  const { post, seen } = await metered((_, __, answer) => json(answer, MESSAGE), {
    allowed: { tokens: 2_000, nanoUsd: null },
  });
  expect((await post('/v1/messages', { ...ASKED, max_tokens: 32_000 })).status).toBe(200);
  const { max_tokens: asked } = JSON.parse(seen[0]?.body ?? '') as { max_tokens: number };
  expect(asked).toBeGreaterThan(1_900);
  expect(asked).toBeLessThan(2_000);
});

test('X3 a call that thinks for longer than there is room is refused', async () => {
  const { open, post, seen } = await metered((_, __, answer) => json(answer, MESSAGE), {
    allowed: { tokens: 2_000, nanoUsd: null },
  });
  const asked = { ...ASKED, max_tokens: 32_000, thinking: { type: 'enabled', budget_tokens: 16_000 } };
  expect((await post('/v1/messages', asked)).status).toBe(402);
  expect([seen, open.record().refusal]).toEqual([[], expect.stringContaining('thoughts')]);
});

test('X3 where money is limited, a model without a known price is refused', async () => {
  const { post, seen } = await metered((_, __, answer) => json(answer, MESSAGE), {
    allowed: { tokens: null, nanoUsd: 1_000_000_000 },
    priced: false,
  });
  const got = await post('/v1/messages', ASKED);
  expect([got.status, await got.text()]).toEqual([402, expect.stringContaining('price of m is not known')]);
  expect(seen).toEqual([]);
});

test('X3 a stream that breaks off is estimated, never too low', async () => {
  const said = 'x'.repeat(3_000);
  const { open, post } = await metered((_, __, answer) => {
    answer.writeHead(200, { 'content-type': 'text/event-stream' }).write(`data: "${said}"\n\n`);
    setImmediate(() => answer.destroy());
  });
  await (await post('/v1/messages', { ...ASKED, stream: true })).text().catch(() => null);
  await expect.poll(() => open.record().usage.estimated).toBe(true);
  expect(open.record().usage.outputTokens).toBeGreaterThanOrEqual(1_000);
});

test('X3 a key that the provider refuses is named, and the client does not ask again', async () => {
  const { open, post } = await metered((_, __, answer) => json(answer, { error: 'bad key' }, 401));
  const got = await post('/v1/messages', ASKED);
  expect([got.status, got.headers.get('x-should-retry')]).toEqual([401, 'false']);
  expect(open.record()).toMatchObject({ keyRefusedBy: 'stub', calls: 0 });
});

test('X12 a limit of the provider is known with its end, until a call goes through', async () => {
  let isLimited = true;
  const { open, post } = await metered((_, __, answer) =>
    isLimited ? json(answer, { error: 'slow' }, 429, { 'retry-after': '60' }) : json(answer, MESSAGE),
  );
  await post('/v1/messages', ASKED);
  expect(open.record().limitedUntil).toBe(61_000);
  isLimited = false;
  await post('/v1/messages', ASKED);
  expect(open.record().limitedUntil).toBeNull();
});

test.each(['/00ff/anthropic/v1/messages', '/', '/v1/messages'])('X3 at %s nothing is passed on', async (path) => {
  const { open, seen } = await metered((_, __, answer) => json(answer, MESSAGE));
  const { status } = await fetch(new URL(path, open.base('anthropic')), { method: 'POST' });
  expect(status).toBe(404);
  expect(seen).toEqual([]);
});

test('X3 no path leads out of the address of the provider', async () => {
  const { open, seen } = await metered((_, __, answer) => json(answer, MESSAGE));
  const { port } = new URL(open.base('anthropic'));
  const { request } = await import('node:http');
  const path = `${new URL(open.base('anthropic')).pathname}/../../../admin`;
  const asked = request({ host: '127.0.0.1', port, path, method: 'GET' }).end();
  const [got] = (await once(asked, 'response')) as [IncomingMessage];
  expect(got.statusCode).toBe(404);
  expect(seen).toEqual([]);
});

test('X3 whatever calls, cuts and refusals interleave, no cap is passed', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          output: fc.integer({ min: 0, max: 100 }),
          end: fc.constantFrom('whole', 'cut', 'left', 'refused'),
        }),
        {
          minLength: 1,
          maxLength: 12,
        },
      ),
      fc.integer({ min: 200, max: 900 }),
      async (calls, tokens) => {
        const { open, post } = await metered(
          (_, body, answer) => {
            const { output, end } = JSON.parse(body) as { output: number; end: string };
            if (end === 'refused') return json(answer, {}, 500);
            if (end === 'cut')
              return void answer.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
            const usage = { input_tokens: 10, output_tokens: output };
            return json(answer, { type: 'message', usage });
          },
          { allowed: { tokens, nanoUsd: null } },
        );
        await Promise.all(
          calls.map(async ({ output, end }) => {
            const signal = end === 'cut' || end === 'left' ? AbortSignal.timeout(end === 'left' ? 1 : 30) : undefined;
            const got = await post('/v1/messages', { ...ASKED, output, end }, {}, signal).catch(() => null);
            await got?.text().catch(() => null);
          }),
        );
        const { inputTokens, outputTokens } = open.record().usage;
        expect(inputTokens + outputTokens).toBeLessThanOrEqual(tokens);
      },
    ),
    { numRuns: 15 },
  ));
