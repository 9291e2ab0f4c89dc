import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { MockLanguageModelV3, MockLanguageModelV4, simulateReadableStream } from 'ai/test';
import { lastValueFrom, toArray } from 'rxjs';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { LoopEvent } from '../../../machines/events.ts';
import type { AnyModel } from '../../../src/hosts/local/model-by-name.ts';
import { Loops } from '../../../src/hosts/local/local-host.ts';
import type { LoopsOptions } from '../../../src/hosts/local/loops-options.ts';
import { memoryLog } from '../../../src/log/sqlite/engine.ts';
import { temporaryFolder } from '../../git/repository.ts';
import { testInTurn } from '../../support/in-turn.ts';
import { modelServer } from '../../support/model-server/server.ts';

async function runOf(model: AnyModel, others: Partial<LoopsOptions> = {}) {
  const loops = new Loops({ log: memoryLog(), model, ...others });
  const run = await loops.start({ prompt: 'Look.', directory: await temporaryFolder() });
  const end = await run.done;
  const events = (await lastValueFrom(loops.events(run.run).pipe(toArray()))) as unknown as LoopEvent[];
  const of = <Type extends LoopEvent['type']>(type: Type) =>
    events.filter((event): event is Extract<LoopEvent, { type: Type }> => event.type === type);
  return { end, of };
}

type Streamed = Awaited<ReturnType<MockLanguageModelV4['doStream']>>;
type Chunk = Streamed['stream'] extends ReadableStream<infer Part> ? Part : never;

const usage = {
  inputTokens: { total: 10, noCache: 6, cacheRead: 4, cacheWrite: undefined },
  outputTokens: { total: 3, text: 2, reasoning: 1 },
};
const NO_USAGE = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};
const finish = (
  unified: 'stop' | 'tool-calls' | 'other' = 'stop',
  used: typeof usage | typeof NO_USAGE = usage,
): Chunk => ({
  type: 'finish',
  finishReason: { unified, raw: undefined },
  usage: used,
});
const text = (said: string): Chunk[] => [
  { type: 'text-start', id: '0' },
  { type: 'text-delta', id: '0', delta: said },
  { type: 'text-end', id: '0' },
];
const streams = (...chunks: Chunk[]) => ({ stream: simulateReadableStream({ chunks, chunkDelayInMs: null }) });
const look: Chunk = { type: 'tool-call', toolCallId: 'c1', toolName: 'list', input: '{"path":"."}' };

/** A model of the second specification, whose reasons and counts are plain. */
const ofSecondSpecification = (said: string) => ({
  specificationVersion: 'v2' as const,
  provider: 'older.chat',
  modelId: 'm',
  supportedUrls: {},
  doGenerate: () => Promise.reject(new Error('not asked')),
  doStream: async () => ({
    stream: simulateReadableStream({
      chunks: [
        { type: 'text-start' as const, id: '0' },
        { type: 'text-delta' as const, id: '0', delta: said },
        { type: 'text-end' as const, id: '0' },
        {
          type: 'finish' as const,
          finishReason: 'stop' as const,
          usage: { inputTokens: 7, outputTokens: 2, totalTokens: 9 },
        },
      ],
    }),
  }),
});

describe('a model of the AI SDK', () => {
  testInTurn('G8 in one line: its text, calls and usage are recorded, and it is given the conversation', async () => {
    const model = new MockLanguageModelV4({
      doStream: [streams(look, finish('tool-calls')), streams(...text('All '), finish())],
    });
    const { end, of } = await runOf(model);
    expect(end).toMatchObject({ kind: 'ended', answer: 'All ', outcome: { ending: 'success' } });
    const answers = of('model.completed').map(({ payload }) => payload);
    expect(answers[0]?.calls).toMatchObject([{ providerId: 'c1', tool: 'list', arguments: { path: '.' } }]);
    const recorded = { inputTokens: 10, outputTokens: 3, cachedInputTokens: 4, reasoningTokens: 1 };
    expect(answers.map((answer) => answer.usage)).toEqual([recorded, recorded]);
    expect(model.doStreamCalls[1]?.prompt.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
    expect(model.doStreamCalls[0]?.tools?.map(({ name }) => name)).toContain('list');
  });

  test.each([
    [8_000, { max_tokens: 8_000, thinking: { type: 'enabled', budget_tokens: 4_000 } }],
    [900, { max_tokens: 900 }],
  ])('G8 of Anthropic: thinking and answer together are within %i tokens', async (maxAnswerTokens, sent) => {
    const server = await modelServer({ answers: [{ text: 'Yes.' }] });
    onTestFinished(server.close);
    const model = createAnthropic({ apiKey: 'k', baseURL: `${server.url}/v1` })('claude-sonnet-4-5');
    const loops = new Loops({ log: memoryLog(), model });
    const directory = await temporaryFolder();

    const run = await loops.start({ prompt: 'Look.', directory, loop: 'turn', effort: 'high', maxAnswerTokens });

    expect(await run.done).toMatchObject({ outcome: { ending: 'success' } });
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]?.body).toMatchObject(sent);
    expect(Object.hasOwn(server.requests[0]?.body as object, 'thinking')).toBe('thinking' in sent);
  });

  test('G8 one that answers only as a whole is asked for that', async () => {
    const doGenerate = async () => ({
      content: [{ type: 'text' as const, text: 'Whole.' }],
      finishReason: { unified: 'stop' as const, raw: 'stop' },
      usage,
      warnings: [],
    });
    const { end } = await runOf(new MockLanguageModelV4({ doGenerate }));
    expect(end).toMatchObject({ answer: 'Whole.', outcome: { ending: 'success' } });
    expect((await runOf(new MockLanguageModelV3({ doGenerate }))).end).toMatchObject({ answer: 'Whole.' });
  });

  testInTurn('G8 a stream that ends without a reason and a count is no answer, and is asked for again', async () => {
    const model = new MockLanguageModelV4({
      doStream: [streams(...text('Hal'), finish('other', NO_USAGE)), streams(...text('Whole.'), finish('other'))],
    });
    const { end, of } = await runOf(model);
    expect(end).toMatchObject({ answer: 'Whole.' });
    expect(of('model.retried')).toMatchObject([{ payload: { fault: { code: 'provider_unavailable' } } }]);
  });

  test('G8 openai(…) is the model that its name names: the log has its name, and its price is known', async () => {
    const server = await modelServer({ answers: [{ text: 'Yes.', usage: { inputTokens: 100, outputTokens: 20 } }] });
    onTestFinished(server.close);
    const openai = createOpenAI({ baseURL: `${server.url}/v1`, apiKey: 'sk-test' });
    const { end, of } = await runOf(openai('gpt-5'));
    expect(end).toMatchObject({ answer: 'Yes.', outcome: { ending: 'success' } });
    expect(of('run.started')[0]?.payload.settings.model).toBe('openai/gpt-5');
    expect(of('model.completed')[0]?.payload).toMatchObject({
      model: 'openai/gpt-5',
      usage: { inputTokens: 100, outputTokens: 20, cost: { price: { source: expect.stringContaining('genai') } } },
    });
    expect(server.requests[0]).toMatchObject({ wire: 'responses', body: { store: false, model: 'gpt-5' } });
    const chat = await runOf(openai.chat('gpt-5'), {
      providers: { 'openai-chat': { prices: { 'gpt-5': { inputPerMillion: 1, outputPerMillion: 1 } } } },
    });
    expect(chat.of('run.started')[0]?.payload.settings.model).toBe('openai-chat/gpt-5');
    expect(chat.of('model.completed')[0]?.payload.usage.cost?.nanoUsd).toBe(120_000);
  });

  test('G8 one of an older specification answers as well', async () => {
    const { end, of } = await runOf(ofSecondSpecification('Older.'));
    expect(end).toMatchObject({ answer: 'Older.', spend: { inputTokens: 7, outputTokens: 2 } });
    expect(of('run.started')[0]?.payload.settings.model).toBe('older/m');
  });

  test('G8 one without its key sends nothing, and costs nothing', async () => {
    const before = process.env['OPENAI_API_KEY'];
    delete process.env['OPENAI_API_KEY'];
    onTestFinished(() => {
      if (before !== undefined) process.env['OPENAI_API_KEY'] = before;
    });
    const { end } = await runOf(createOpenAI()('gpt-5'));
    expect(end).toMatchObject({
      outcome: { fault: { code: 'authentication', message: expect.stringContaining('OPENAI_API_KEY') } },
      spend: { inputTokens: 0, outputTokens: 0 },
    });
  });
});

test('G8 a name is a model, too', async () => {
  const server = await modelServer({ answers: [{ text: 'Yes.' }] });
  onTestFinished(server.close);
  const environment = { OPENAI_API_KEY: 'sk-test', OPENAI_BASE_URL: server.url };
  const { end, of } = await runOf('openai-chat/gpt-5', { environment });
  expect(end).toMatchObject({ answer: 'Yes.' });
  expect(of('run.started')[0]?.payload.settings.model).toBe('openai-chat/gpt-5');
  await expect(runOf('gpt-5', { environment })).rejects.toThrow('did you mean openai/gpt-5?');
});

test.each([
  [
    { OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k' },
    "Say model: 'openai/gpt-5' (OPENAI_API_KEY is set) or 'anthropic/claude-sonnet-4-5' (ANTHROPIC_API_KEY is set).",
  ],
  [{ OPENAI_API_KEY: 'k' }, "Say model: 'openai/gpt-5' (OPENAI_API_KEY is set)."],
  [{}, /^No model is named. No key is set in .*OPENAI_API_KEY.* Or say model: 'ollama\/MODEL'.$/],
])('G8 without a model, a run is refused with those whose keys are set: %j', async (environment, said) => {
  const starting = new Loops({ log: memoryLog(), environment }).start({ prompt: 'Look.' });
  await expect(starting).rejects.toThrow(said);
});

test('G8 a model of a specification that no SDK here takes is refused with those that it takes', () => {
  const odd = { specificationVersion: 'v1', provider: 'odd', modelId: 'm', doStream: () => {} };
  expect(() => new Loops({ log: memoryLog(), model: odd as unknown as AnyModel })).toThrow(
    'specification v2, v3 or v4',
  );
});
