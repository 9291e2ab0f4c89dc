import { describe, expect, test } from 'vitest';
import { askWithin } from '../../../src/actors/model/ask-within.ts';
import { MAX_UNSEEN_TOKENS } from '../../../src/actors/model/token-estimate.ts';
import { ModelError } from '../../../src/actors/model/model.ts';
import { eventsOf, guessed, modelThat, never } from './answering.ts';
import { requestOf } from './request.ts';

const usageAfter = async (answer: object) =>
  (await eventsOf(() => answer)).flatMap(({ payload }) => ('usage' in payload ? [payload.usage] : []));

describe('G8 usage that a model does not say is estimated, and marked so', () => {
  test.each([
    ['none', undefined],
    ['null', null],
    ['zero and zero', { inputTokens: 0, outputTokens: 0 }],
    ['nothing in it', {}],
    ['counts that are null', { inputTokens: null, outputTokens: undefined }],
    ['counts that are no counts', { inputTokens: -5, outputTokens: 0.5, cachedInputTokens: Number.NaN }],
    ['words', { inputTokens: 'many', outputTokens: 'few' }],
    ['a text', 'none'],
  ])('G8 %s', async (_, usage) => {
    expect(await usageAfter({ text: 'Done.', usage })).toEqual([guessed(5)]);
  });

  test('G8 one count alone is kept, and the other estimated', async () => {
    expect(await usageAfter({ text: 'Done.', usage: { inputTokens: 900 } })).toEqual([
      { inputTokens: 900, outputTokens: 2, estimated: true },
    ]);
    expect(await usageAfter({ text: 'Done.', usage: { outputTokens: 7, inputTokens: 0 } })).toEqual([
      { inputTokens: 21, outputTokens: 7, estimated: true },
    ]);
  });

  test('G8 both counts are as they were told, and an empty answer wrote nothing', async () => {
    const usage = { inputTokens: 900, outputTokens: 7 };
    expect(await usageAfter({ text: 'Done.', usage })).toEqual([usage]);
    expect(await usageAfter({ text: '', usage: { inputTokens: 900, outputTokens: 0 } })).toEqual([
      { inputTokens: 900, outputTokens: 0 },
    ]);
  });

  test('G8 the system prompt, the descriptions of tools and the calls count', async () => {
    const calls = [{ tool: 'read', arguments: { path: 'x'.repeat(400) } }];
    const asked = { system: 's'.repeat(4_000), tools: [] };
    const events = await eventsOf(() => ({ text: '', calls }), requestOf(asked));
    const completed = events.find(({ type }) => type === 'model.completed');
    expect(completed?.payload).toMatchObject({ usage: { inputTokens: 1_002, outputTokens: 104, estimated: true } });
    const [{ inputTokens = 0 } = {}] = await usageAfter({ text: 'Done.' });
    expect(inputTokens).toBeGreaterThan('hello'.length);
  });

  test('G8 an answer that was interrupted has at least what came of it', async () => {
    const told = new AbortController();
    const [event] = await eventsOf(
      (_, { delta }) => {
        delta('Half an answer');
        queueMicrotask(() => told.abort('pause'));
        return never();
      },
      requestOf(),
      told.signal,
    );
    expect(event).toMatchObject({ type: 'model.interrupted', payload: { usage: guessed('Half an answer'.length) } });
  });

  test('G8 a summary and a question of a judge, too', async () => {
    const call = { signal: new AbortController().signal, delta: () => {} };
    const allowance = { tokens: null, nanoUsd: null, inputTokens: 2, isCounted: true };
    const said = await askWithin(
      modelThat(() => ({ text: 'Done.' })),
      requestOf(),
      { allowance, timeoutMs: 1_000 },
      { ...call, attempt: 1 } as never,
    );
    expect(said).toMatchObject({ kind: 'answered', usage: guessed(5) });
  });
});

describe('G8 usage that cannot be is bounded, and marked as estimated', () => {
  const most = { inputTokens: 4 * 21, outputTokens: 4 * 2, estimated: true };

  test.each([
    ['10^12 tokens', { inputTokens: 1e12, outputTokens: 1e12 }, most],
    ['10^12 that went in', { inputTokens: 1e12, outputTokens: 7 }, { ...most, outputTokens: 7 }],
    ['10^12 that came out', { inputTokens: 900, outputTokens: 1e12 }, { ...most, inputTokens: 900 }],
    [
      '10^12 of a part',
      { inputTokens: 900, outputTokens: 7, cachedInputTokens: 1e12, reasoningTokens: 1e12 },
      { inputTokens: 84, outputTokens: 7, estimated: true },
    ],
  ])('G8 %s', async (_, usage, believed) => {
    expect(await usageAfter({ text: 'Done.', usage })).toEqual([believed]);
  });

  test('G8 what a provider may have added by itself is believed', async () => {
    const usage = { inputTokens: MAX_UNSEEN_TOKENS, outputTokens: MAX_UNSEEN_TOKENS, reasoningTokens: 900_000 };
    expect(await usageAfter({ text: 'Done.', usage })).toEqual([usage]);
  });

  test('G8 an error that counts so much, too', async () => {
    const failing = () => Promise.reject(new ModelError('odd', 'odd', { inputTokens: 1e12, outputTokens: 1e12 }));
    const [event] = await eventsOf(failing);
    expect(event).toMatchObject({ payload: { usage: { inputTokens: 84, outputTokens: 0, estimated: true } } });
  });
});
