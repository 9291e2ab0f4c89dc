// Over 300 lines because it is one contract that every provider's API runs.
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { endpointOf } from '../../../src/actors/model/endpoint.ts';
import { type Message, type ModelAnswer, ModelError, type ModelRequest } from '../../../src/actors/model/model.ts';
import { providerModel } from '../../../src/actors/model/provider-model.ts';
import { type ModelServer, modelServer } from '../../support/model-server/server.ts';
import type { ServerScript } from '../../support/model-server/script.ts';
import { requestOf } from './request.ts';

export interface WireUnderTest {
  /** Of a model, as a run names it. */
  readonly name: string;
  /** What the provider wants back with an answer is found in the next request. */
  readonly sealed: RegExp | null;
  /** A stream that dies has told by then how much went in. */
  readonly tellsEarly: boolean;
  readonly countsReasoning: boolean;
  /** Its calls have ids of their own, and arguments as text. */
  readonly callsAreText: boolean;
  readonly saysFailed: RegExp | null;
}

type Fault = NonNullable<ServerScript['faults']>[number];

const NOW = Date.parse('2026-11-22T10:00:00.000Z');
const KEY = 'sk-test-0123456789';
const LONG = 'The sea is blue 🌊 and the mountain is high ⛰️, says the 本.';

/** What holds on every wire, spoken over HTTP with a scripted server. */
export function wireContract(wire: WireUnderTest): void {
  const served = async (script: ServerScript): Promise<ModelServer> => {
    const server = await modelServer(script);
    onTestFinished(server.close);
    return server;
  };
  const model = ({ url }: ModelServer) => {
    const environment = {
      OPENAI_API_KEY: KEY,
      ANTHROPIC_API_KEY: KEY,
      GEMINI_API_KEY: KEY,
      OPENAI_BASE_URL: url,
      ANTHROPIC_BASE_URL: url,
      GOOGLE_GENERATIVE_AI_BASE_URL: url,
      OPENAI_COMPATIBLE_BASE_URL: url,
      OPENAI_COMPATIBLE_API_KEY: KEY,
      OLLAMA_HOST: url,
      OLLAMA_API_KEY: KEY,
    };
    return providerModel(endpointOf(wire.name, {}, environment), { now: () => NOW });
  };
  const asking = async (
    server: ModelServer,
    request: ModelRequest = requestOf(),
    signal = new AbortController().signal,
  ) => {
    const deltas: string[] = [];
    const answer = await model(server).answer(request, { signal, delta: (text) => deltas.push(text) });
    return { answer, deltas };
  };
  const failing = async (server: ModelServer): Promise<ModelError> => {
    const error: unknown = await asking(server).then(
      () => null,
      (error: unknown) => error,
    );
    if (error instanceof ModelError) return error;
    throw new Error('expected a ModelError', { cause: error });
  };
  const failingWith = async (fault: Omit<Fault, 'request'>) =>
    failing(await served({ answers: [{ text: LONG }], faults: [{ request: 0, ...fault }] }));
  const body = (server: ModelServer, number: number) => JSON.stringify(server.requests[number]?.body);

  describe(`${wire.name} answers`, () => {
    test('text, in pieces as they come, whole at the end', async () => {
      const { answer, deltas } = await asking(await served({ answers: [{ text: LONG }] }));
      expect(answer.text).toBe(LONG);
      expect(deltas.length).toBeGreaterThan(2);
      expect(deltas.join('')).toBe(LONG);
      expect(answer).toMatchObject({ calls: [], model: wire.name });
    });

    test('several calls at once, in their order, with nothing run', async () => {
      const calls = [
        { id: 'call-a', tool: 'read', arguments: { path: 'ä' } },
        { id: 'call-b', tool: 'shell', arguments: { n: [1, { x: null }] } },
      ];
      const { answer } = await asking(await served({ answers: [{ text: 'Reading.', calls }] }));
      expect(answer.text).toBe('Reading.');
      expect(answer.calls?.map(({ tool, arguments: given }) => ({ tool, given }))).toEqual([
        { tool: 'read', given: { path: 'ä' } },
        { tool: 'shell', given: { n: [1, { x: null }] } },
      ]);
      expect(new Set(answer.calls?.map(({ id }) => id)).size).toBe(2);
    });

    test('nothing at all, and that is an answer', async () => {
      const { answer, deltas } = await asking(await served({ answers: [{ text: '' }] }));
      expect(answer).toMatchObject({ text: '', calls: [] });
      expect(deltas.join('')).toBe('');
    });

    test('with usage as the server counted it, cached and reasoning tokens too', async () => {
      const usage = {
        inputTokens: 1_000,
        outputTokens: 50,
        cachedInputTokens: 400,
        ...(wire.countsReasoning ? { reasoningTokens: 20 } : {}),
      };
      const { answer } = await asking(await served({ answers: [{ text: 'Yes.', usage }] }));
      expect(answer.usage).toEqual(usage);
    });

    test('characters that arrive in halves are whole', async () => {
      const text = '🌊本é';
      const { answer } = await asking(
        await served({ answers: [{ text, chunkCharacters: 2 }], faults: [{ request: 0, splitBytes: 5 }] }),
      );
      expect(answer.text).toBe(text);
    });

    // Where arguments are no text of their own, nothing else than JSON can arrive.
    const broken = wire.callsAreText ? ['{"path": "a'] : [];
    test.each(broken)('with arguments that are no JSON, kept for the tool to refuse: %s', async (rawArguments) => {
      const { answer } = await asking(
        await served({
          answers: [
            {
              calls: [
                { tool: 'read', rawArguments },
                { tool: 'no_such_tool', arguments: {} },
              ],
            },
          ],
        }),
      );
      expect(answer.calls).toMatchObject([
        { tool: 'read', arguments: rawArguments },
        { tool: 'no_such_tool', arguments: {} },
      ]);
    });
  });

  describe(`${wire.name} is asked`, () => {
    const conversation = (answer: ModelAnswer): readonly Message[] => [
      { role: 'user', text: 'Look.' },
      {
        role: 'assistant',
        text: answer.text,
        calls: (answer.calls ?? []).map((call, index) => ({
          callId: `0.${index}`,
          providerId: call.id ?? null,
          tool: call.tool,
          arguments: call.arguments,
        })),
        ...(answer.model === undefined ? {} : { model: answer.model }),
        ...(answer.continuity === undefined ? {} : { continuity: answer.continuity }),
      },
      { role: 'tool', callId: '0.0', tool: 'read', output: 'the content', failed: false },
      { role: 'tool', callId: '0.1', tool: 'read', output: 'no such file', failed: true },
    ];
    const twoCalls = {
      text: 'I look.',
      reasoning: 'Deep thought',
      calls: [
        { tool: 'read', arguments: { path: 'a' } },
        { tool: 'read', arguments: { path: 'b' } },
      ],
    };

    test('with the key, the system prompt and the tools; the server is told to keep nothing', async () => {
      const server = await served({ answers: [{ text: 'Yes.' }] });
      await asking(server, requestOf({ system: 'Be brief.' }));
      expect(JSON.stringify(server.requests[0]?.headers)).toContain(KEY);
      expect(body(server, 0)).toContain('Be brief.');
      expect(body(server, 0)).toContain('Reads a file.');
      expect(body(server, 0)).not.toContain('"store":true');
      expect(server.requests).toHaveLength(1);
    });

    test('no tools in the request of a run without tools', async () => {
      const server = await served({ answers: [{ text: 'Yes.' }] });
      await asking(server, requestOf({ tools: [] }));
      expect(server.requests[0]?.body).not.toHaveProperty('tools');
      expect(server.requests[0]?.body).not.toHaveProperty('tool_choice');
    });

    test('with its own answer and what the tools said, and a failure is known as one', async () => {
      const server = await served({ answers: [twoCalls, { text: 'Done.' }] });
      const { answer } = await asking(server);
      await asking(server, requestOf({ messages: conversation(answer) }));
      expect(body(server, 1)).toContain('the content');
      expect(body(server, 1)).toContain('no such file');
      if (wire.saysFailed) expect(body(server, 1)).toMatch(wire.saysFailed);
      for (const { id } of answer.calls ?? [])
        expect(body(server, 1).split(`"${id}"`).length - 1, `${id} names a call and its result`).toBe(2);
    });

    test('with what it wants back, which no other model is given', async () => {
      const server = await served({ answers: [twoCalls, { text: 'Done.' }, { text: 'Done.' }] });
      const { answer } = await asking(server);
      await asking(server, requestOf({ messages: conversation(answer) }));
      await asking(server, requestOf({ messages: conversation({ ...answer, model: 'other/model' }) }));
      if (wire.sealed) expect(body(server, 1)).toMatch(wire.sealed);
      if (wire.sealed) expect(body(server, 2)).not.toMatch(wire.sealed);
      expect(body(server, 2)).toContain('call_0_0');
    });

    test('with ids that name one call each, though it had named two alike', async () => {
      const alike = [
        { id: 'same', tool: 'read', arguments: {} },
        { id: 'same', tool: 'read', arguments: {} },
      ];
      const server = await served({ answers: [{ text: 'Done.' }] });
      const answer = { text: '', calls: alike, model: wire.name };
      await asking(server, requestOf({ messages: conversation(answer) }));
      expect(body(server, 0).split('"same"').length - 1).toBe(2);
      expect(body(server, 0).split('"call_0_1"').length - 1).toBe(2);
    });

    test('with arguments that it can read again, whatever they were', async () => {
      const server = await served({ answers: [{ text: 'Done.' }] });
      const calls = [
        { id: 'a', tool: 'read', arguments: '{"half' },
        { id: 'b', tool: 'read', arguments: ['no object'] },
      ];
      await asking(server, requestOf({ messages: conversation({ text: '', calls, model: wire.name }) }));
      expect(body(server, 0)).toContain('unreadable');
    });
  });

  describe(`${wire.name} fails`, () => {
    test('401: no further request', async () => {
      expect(await failingWith({ status: 401 })).toMatchObject({
        code: 'authentication',
        remedy: null,
        usage: { inputTokens: 0 },
        message: expect.stringMatching(/\. (Check the key in \w+|No key was sent: .*)\.$/),
      });
    });

    test.each([
      [{ 'retry-after': '7' }, 7_000],
      [{ 'retry-after': 'Sun, 22 Nov 2026 10:00:09 GMT' }, 9_000],
      [{ 'retry-after-ms': '250' }, 250],
      [{}, null],
    ])('429 with %o: a wait', async (headers, afterMs) => {
      expect(await failingWith({ status: 429, headers })).toMatchObject({
        code: 'rate_limited',
        remedy: { kind: 'wait', afterMs },
      });
    });

    test('B8 a limit of use whose end is known is waited for, whatever its status', async () => {
      const message = 'You have reached your API usage limits. You will regain access on 2026-11-22 at 11:00 UTC.';
      for (const status of [400, 403, 429]) {
        expect(await failingWith({ status, body: { error: { message } } })).toMatchObject({
          code: 'rate_limited',
          remedy: { kind: 'wait', afterMs: 3_600_000 },
        });
      }
    });

    test('B8 404 is an unknown model, and no try is made again', async () => {
      expect(await failingWith({ status: 404 })).toMatchObject({ code: 'model_unknown', remedy: null });
    });

    test.each([500, 503, 529])('%i: asked again', async (status) => {
      const error = await failingWith({ status });
      expect(error).toMatchObject({
        code: 'provider_unavailable',
        remedy: { kind: 'retry' },
        usage: { inputTokens: 0, outputTokens: 0 },
      });
      expect(error.message).toContain(`${wire.name}: ${status}: `);
    });

    test('400: the request is wrong; too long a conversation is told apart', async () => {
      expect(await failingWith({ status: 400 })).toMatchObject({ code: 'bad_request', remedy: null });
      const message = "This model's maximum context length is 1000 tokens, your messages have 2000.";
      const error = await failingWith({
        status: 400,
        body: { error: { message, type: 'invalid_request_error', code: 400, status: 'INVALID_ARGUMENT' } },
      });
      expect(error).toMatchObject({ code: 'context-full', remedy: null });
    });

    test.each([
      ['a socket that dies', true, { dieAfter: 4 }],
      ['a socket that dies at once', false, { dieAfter: 0 }],
      ['a stream that ends too soon', true, { endAfter: 3 }],
      ['a stream that ends before it begins', false, { endAfter: 0 }],
      ['a line that is no JSON', true, { malformedAfter: 3 }],
      ['a failure told inside the stream', true, { errorAfter: 3 }],
      ['a text that is no stream', false, { status: 200, body: 'Welcome to the hotel' }],
    ] as const)('%s: asked again, and what it used is kept', async (_, hasBegun, fault) => {
      const server = await served({ answers: [{ text: LONG }], faults: [{ request: 0, ...fault }] });
      const error = await failing(server);
      expect(error).toMatchObject({ code: 'provider_unavailable', remedy: { kind: 'retry' } });
      expect(error.message).not.toMatch(/\n|: 200: /);
      const reported = server.requests[0]?.reported;
      if (reported) expect(error.usage.inputTokens).toBe(reported.inputTokens);
      if (reported) expect(error.usage.outputTokens).toBeGreaterThanOrEqual(reported.outputTokens);
      else expect(error.usage.inputTokens === 0 || error.usage.estimated).toBe(true);
      if (hasBegun) expect(error.usage.inputTokens).toBeGreaterThan(0);
      const { answer } = await asking(server);
      expect(answer.text).toBe(LONG);
    });

    test('closes the connection after a failure, so that the rest is not paid for', async () => {
      const server = await served({
        answers: [{ text: LONG }],
        faults: [{ request: 0, malformedAfter: 2, holds: true }],
      });
      await failing(server);
      await vi.waitFor(() => expect(server.requests[0]?.end).toBe('left'), { timeout: 120_000 });
    });

    // APIs that send calls whole send nothing of them before.
    const half = [{ calls: [{ tool: 'read', arguments: { path: 'p'.repeat(4_000) } }] }].filter(
      () => wire.callsAreText,
    );
    test.each([{ text: 'word '.repeat(800) }, ...half])(
      'a stream that dies in the middle has used what it told, and at least what came: %j',
      async (answer) => {
        const server = await served({
          answers: [{ ...answer, chunkCharacters: 100 }],
          faults: [{ request: 0, dieAfter: 25 }],
        });
        const { usage } = await failing(server);
        expect(usage.outputTokens).toBeGreaterThan(300);
        expect(usage).toMatchObject({ estimated: true });
        if (wire.tellsEarly) expect(usage.inputTokens).toBe(server.requests[0]?.reported?.inputTokens);
        expect(usage.inputTokens).toBeGreaterThan(0);
      },
    );

    test('a server that counts nothing: what went in and came out is guessed', async () => {
      const { answer } = await asking(
        await served({ answers: [{ text: LONG.repeat(10), usage: { inputTokens: 0, outputTokens: 0 } }] }),
      );
      expect(answer.usage).toMatchObject({ estimated: true });
      expect(answer.usage?.inputTokens).toBeGreaterThan(10);
      expect(answer.usage?.outputTokens).toBeGreaterThan(100);
    });

    test.each([
      'max_tokens is too large: 32000. This model supports at most 16384 completion tokens, whereas you provided 32000.',
      'max_tokens: 32000 > 16384, which is the maximum allowed number of output tokens for this model',
      'Unable to submit request because it has a maxOutputTokens value of 32000 but the supported range is from 1 (inclusive) to 16384 (exclusive).',
      "This model's maximum context length is 20000 tokens. However, you requested 32010 tokens (10 in the messages, 32000 in the completion).",
    ])('longer an answer than it gives: a shorter one is asked for: %s', async (message) => {
      const server = await served({
        answers: [{ text: LONG }],
        faults: [
          {
            request: 0,
            status: 400,
            body: {
              type: 'error',
              error: { message, type: 'invalid_request_error', code: 400, status: 'INVALID_ARGUMENT' },
            },
          },
        ],
      });
      const { answer } = await asking(server, requestOf({ maxOutputTokens: 32_000 }));
      expect(answer.text).toBe(LONG);
      expect(body(server, 0)).toMatch(/:32000\b/);
      expect(body(server, 1)).toMatch(/:16000\b/);
    });

    test('no server: requested again, and nothing was spent', async () => {
      const server = await modelServer({ answers: [{ text: LONG }] });
      await server.close();
      expect(await failing(server)).toMatchObject({
        code: 'provider_unavailable',
        remedy: { kind: 'retry' },
        usage: { inputTokens: 0, outputTokens: 0 },
      });
    });

    test('told to stop in the middle, it stops, and says what it has used', async () => {
      const server = await served({ answers: [{ text: LONG }], faults: [{ request: 0, hangAfter: 5 }] });
      const told = new AbortController();
      const heard = Promise.withResolvers<void>();
      const answering = model(server).answer(requestOf(), { signal: told.signal, delta: () => heard.resolve() });
      await heard.promise;
      told.abort('abort');
      await expect(answering).rejects.toMatchObject({ code: 'stopped', usage: { inputTokens: expect.any(Number) } });
      await expect(answering).rejects.not.toMatchObject({ usage: { inputTokens: 0 } });
    });

    test('told to stop before anything came, it stops', async () => {
      const server = await served({ answers: [{ text: LONG }], faults: [{ request: 0, silent: true }] });
      const told = new AbortController();
      const answering = asking(server, requestOf(), told.signal);
      await vi.waitFor(() => expect(server.requests).toHaveLength(1), { timeout: 120_000 });
      told.abort('abort');
      await expect(answering).rejects.toMatchObject({ code: 'stopped', usage: { estimated: true } });
    });
  });
}
