import { describe, expect, test } from 'vitest';
import { exitOf } from '../../../src/cli/terminal/exit-status.ts';
import { testInTurn } from '../../support/in-turn.ts';
import { WIRES } from '../../support/model-server/on-each-wire.ts';
import { temporaryFolder } from '../../git/repository.ts';
import { runOn } from './run-on.ts';

// Servers and proxies that do not speak as the API has it: each of these was asked for five times, and paid for.

const USED = { inputTokens: 120, outputTokens: 30 };
const COUNTED = { ...USED, cachedInputTokens: 20 };
const DONE = { text: 'It is done.', usage: COUNTED };
const reads = { text: 'I read it.', calls: [{ tool: 'list', arguments: { path: '.' } }], usage: COUNTED };
const CHATS = ['openai-chat/m', 'openai-compatible/m'];

const errorOf = (code: number | string, message: string) => ({ error: { message, code, type: null } });
const FULL = "This model's maximum context length is 1000 tokens, your messages have 2000.";

describe.each(WIRES)('%s', (model) => {
  test.each([
    ['a wrong request', errorOf(400, 'temperature must be 1'), 'bad_request', 13],
    ['a window that is full', errorOf(400, FULL), 'context-full', 13],
    ['a window that is full, by its name alone', errorOf('context_length_exceeded', FULL), 'context-full', 13],
    ['a refused key', errorOf('invalid_api_key', 'No such key'), 'authentication', 3],
    ['a model that is not there', errorOf('model_not_found', 'The model m9 does not exist'), 'model_unknown', 2],
    ['a key without credit', errorOf(402, 'Insufficient credits'), 'provider_unavailable', 4],
  ])('G8 %s, told with status 200, is what it would be with its own', async (_, body, code, exit) => {
    const faults = [{ request: 0, status: 200, body }];

    const { outcome, requests, charged } = await runOn(model, { answers: [DONE], faults });

    expect(outcome).toMatchObject({ ending: 'abort', cause: 'error', fault: { code } });
    expect(JSON.stringify(outcome)).toContain(body.error.message);
    expect(exitOf(outcome, false)).toBe(exit);
    expect(requests).toHaveLength(1);
    expect(charged).toEqual({ input: 0, output: 0 });
  });

  test.each([429, '429', 'rate_limit_exceeded'])(
    'G8 a rate limit, told with status 200 as %j, is waited for, and costs nothing',
    async (code) => {
      const headers = { 'retry-after-ms': '5' };
      const faults = [{ request: 0, status: 200, headers, body: errorOf(code, 'Slow down') }];

      const { outcome, requests, charged, facts } = await runOn(model, { answers: [DONE], faults });

      expect(outcome).toMatchObject({ ending: 'success' });
      expect(requests).toHaveLength(2);
      expect(facts.filter(({ type }) => type === 'model.limited')).toHaveLength(1);
      expect(charged).toEqual({ input: 120, output: 30 });
    },
  );

  test('G8 a failure of the server, told with status 200, is asked again, and costs nothing', async () => {
    const headers = { 'retry-after-ms': '5' };
    const faults = [{ request: 0, status: 200, headers, body: { error: 'upstream is gone' } }];

    const { outcome, requests, charged } = await runOn(model, { answers: [DONE], faults });

    expect(outcome).toMatchObject({ ending: 'success' });
    expect(requests).toHaveLength(2);
    expect(charged).toEqual({ input: 120, output: 30 });
  });

  testInTurn('G8 an answer that comes whole where a stream was asked for is the answer', async () => {
    const answers = [reads, { ...DONE, reasoning: 'It was easy.' }];

    const { outcome, requests, charged, facts, warnings } = await runOn(
      model,
      { answers, habits: ['whole'] },
      { tools: ['list'], directory: await temporaryFolder() },
    );

    expect(outcome).toMatchObject({ ending: 'success' });
    expect(requests).toHaveLength(2);
    expect(charged).toEqual({ input: 240, output: 60 });
    expect(warnings).toEqual([]);
    const said = facts.flatMap(({ type, payload }) => (type === 'model.completed' ? [payload] : []));
    expect(said).toMatchObject([
      { text: 'I read it.', calls: [{ tool: 'list', arguments: { path: '.' } }], usage: COUNTED },
      { text: 'It is done.', calls: [], usage: COUNTED },
    ]);
  });

  test('G4 a whole answer that was cut, held back or refused is told as one', async () => {
    const ends = model === 'openai/m' ? ['length', 'filter', 'refusal'] : ['length', 'filter'];
    for (const end of ends as ('length' | 'filter' | 'refusal')[]) {
      const { outcome, requests } = await runOn(model, { answers: [{ text: 'I can not', end }], habits: ['whole'] });

      const held = model === 'anthropic/m' ? 'refused' : 'filtered';
      const code = { length: 'answer-cut', filter: held, refusal: 'refused' }[end];
      expect(outcome).toMatchObject({ ending: 'abort', fault: { code } });
      expect(requests).toHaveLength(2);
    }
  });

  test.each([[[]], [['whole' as const]]])('G8 counts of tokens that are text are numbers: %j', async (habits) => {
    const { outcome, requests, charged, facts } = await runOn(model, {
      answers: [DONE],
      habits: [...habits, 'counts as text'],
    });

    expect(outcome).toMatchObject({ ending: 'success' });
    expect(requests).toHaveLength(1);
    expect(charged).toEqual({ input: 120, output: 30 });
    const answer = facts.find(({ type }) => type === 'model.completed');
    expect(answer?.payload).toMatchObject({ usage: COUNTED });
    expect(answer?.payload).not.toMatchObject({ usage: { estimated: true } });
  });

  test.each([[[]], [['whole' as const]]])('G8 10^12 tokens are no usage, and no end of a run: %j', async (habits) => {
    const usage = { inputTokens: 1e12, outputTokens: 30, cachedInputTokens: 1e11 };
    const limits = { tools: ['list'], maxTokens: 50_000 };

    const { outcome, requests, charged } = await runOn(model, { answers: [{ ...reads, usage }, DONE], habits }, limits);

    expect(outcome).toMatchObject({ ending: 'success' });
    expect(requests).toHaveLength(2);
    expect(charged.input).toBeLessThan(20_000);
    expect(charged.output).toBe(60);
  });

  // Anthropic is always told how long an answer may be, and the server keeps to that.
  test.skipIf(model === 'anthropic/m')('G8 10^12 tokens of an answer are no more than its characters', async () => {
    const usage = { inputTokens: 120, outputTokens: 1e12 };

    const answers = [{ ...reads, usage }, DONE];
    const { outcome, requests, charged } = await runOn(
      model,
      { answers },
      { tools: ['list'], maxAnswerTokens: 'none' },
    );

    expect(outcome).toMatchObject({ ending: 'success' });
    expect(requests).toHaveLength(2);
    expect(charged.input).toBe(240);
    expect(charged.output).toBeLessThan(200);
  });
});

describe.each(CHATS)('%s ends with [DONE] and never says why', (model) => {
  const unsaid = { habits: ['end unsaid' as const] };

  test.each([[[]], [['whole' as const]]])('G4 text is taken as whole, and that is told: %j', async (habits) => {
    const { outcome, requests, charged, warnings } = await runOn(model, {
      answers: [DONE],
      habits: [...habits, 'end unsaid'],
    });

    expect(outcome).toMatchObject({ ending: 'success' });
    expect(requests).toHaveLength(1);
    expect(charged).toEqual({ input: 120, output: 30 });
    expect(warnings).toEqual(['end_unsaid']);
  });

  test('G4 calls that can be read are run', async () => {
    const { outcome, requests, facts } = await runOn(model, { answers: [reads, DONE], ...unsaid }, { tools: ['list'] });

    expect(outcome).toMatchObject({ ending: 'success' });
    expect(requests).toHaveLength(2);
    expect(facts.filter(({ type }) => type === 'tool.completed')).toHaveLength(1);
  });

  test('G4 half a call was cut: it is not run, and the answer is continued three times', async () => {
    const half = ['a', 'b', 'c', 'd'].map((name) => ({
      text: `Now ${name}.`,
      calls: [{ tool: 'write', rawArguments: `{"path": "${name}", "content": "half` }],
    }));

    const { outcome, requests, facts } = await runOn(model, { answers: half, ...unsaid }, { tools: ['write'] });

    expect(outcome).toMatchObject({ ending: 'abort', fault: { code: 'answer-cut' } });
    expect(requests).toHaveLength(4);
    expect(facts.filter(({ type }) => type === 'tool.completed')).toEqual([]);
  });

  test('G4 an answer as long as was asked for was cut', async () => {
    const long = ['a', 'b', 'c', 'd'].map((name) => ({
      text: `${name} `.repeat(40),
      usage: { ...USED, outputTokens: 64 },
    }));

    const { outcome, requests } = await runOn(model, { answers: long, ...unsaid }, { maxAnswerTokens: 64 });

    expect(outcome).toMatchObject({ ending: 'abort', fault: { code: 'answer-cut' } });
    expect(requests).toHaveLength(4);
  });
});

test('G5 Ollama says with status 500 that the window is full', async () => {
  const body = errorOf('api_error', 'the input length exceeds the maximum context length and cannot be truncated');
  const faults = [{ request: 0, status: 500, body }];

  const { outcome, requests, charged } = await runOn('openai-compatible/m', { answers: [DONE], faults });

  expect(outcome).toMatchObject({ ending: 'abort', fault: { code: 'context-full' } });
  expect(exitOf(outcome, false)).toBe(13);
  expect(requests).toHaveLength(1);
  expect(charged).toEqual({ input: 0, output: 0 });
});

test('G5 a first request that does not fit the window names what makes it smaller, after what was said', async () => {
  const faults = [{ request: 0, status: 400, body: errorOf('context_length_exceeded', FULL) }];

  const { outcome } = await runOn('openai-chat/m', { answers: [DONE], faults });

  const fault = outcome.ending === 'abort' ? outcome.fault : null;
  expect(fault?.message).toContain(
    `${FULL} Shorten the task or its instructions, offer fewer tools, or choose a model`,
  );
});
