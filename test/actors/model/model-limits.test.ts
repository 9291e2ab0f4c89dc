import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Usage } from '../../../machines/events.ts';
import { MAX_ANSWER_BYTES } from '../../../src/actors/model/model-answer.ts';
import { MODEL_TIMEOUT_MS } from '../../../src/actors/model/model-actor.ts';
import { type ModelCall, ModelError } from '../../../src/actors/model/model.ts';
import { MAX_EVENT_BYTES } from '../../../src/log/event-store.ts';
import { type Answering, asked, eventsOf, failedWith, guessed, never } from './answering.ts';
import { requestOf } from './request.ts';

describe('T11 an answer whose parts are short enough may be too long as a whole', () => {
  const usage = { inputTokens: 3, outputTokens: 4 };
  const writes = (count: number, content: string) =>
    Array.from({ length: count }, () => ({ tool: 'write', arguments: { content } }));
  const tooLong = (parts: string) => {
    const why = `the whole of it: too long: ${parts}, at most 4194304 together`;
    return failedWith('bad_answer', `The model's answer cannot be used: ${why}.`, usage);
  };
  const FRAME = '{"callId":"0.0","providerId":null,"tool":"write","arguments":{"content":""}}'.length;

  test('T11 the failure says what was too long, and what it cost is counted', async () => {
    const event = await eventsOf(() => ({ text: 'x', calls: writes(5, 'x'.repeat(900_000)), usage }));
    const bytes = 5 * (900_000 + FRAME) + '[,,,,]'.length;
    expect(event).toEqual([tooLong(`3 bytes of text and ${bytes} of calls`)]);
    expect(await eventsOf(() => ({ text: 'x', calls: writes(4, 'x'.repeat(900_000)), usage }))).toMatchObject([
      { type: 'model.completed' },
    ]);
  });

  test('T11 text and calls count together, in bytes as they are recorded', async () => {
    const text = (characters: number) => '語'.repeat(characters);
    expect(await eventsOf(() => ({ text: text(999_999), usage }))).toMatchObject([{ type: 'model.completed' }]);
    expect(await eventsOf(() => ({ text: text(999_999), calls: writes(1, text(500_000)), usage }))).toEqual([
      tooLong(`2999999 bytes of text and ${1_500_000 + FRAME + '[]'.length} of calls`),
    ]);
    expect(await eventsOf(() => ({ text: '\u0001'.repeat(999_999), usage }))).toEqual([
      tooLong('5999996 bytes of text and 2 of calls'),
    ]);
  });

  test('T11 whatever is answered fits into one event', () =>
    expect(MAX_ANSWER_BYTES).toBeLessThanOrEqual(MAX_EVENT_BYTES / 2));
});

describe('T11 a model that takes too long has failed', () => {
  const within = (timeoutMs: number, answer: Answering, signal?: AbortSignal) =>
    asked(answer, requestOf(), signal, timeoutMs);
  const timedOut = (usage: Usage = guessed()) =>
    failedWith('model_timed_out', 'The model did not answer within 5 ms.', usage);

  test('T11 it is told to stop, and what it says then is dropped', async () => {
    let say: ModelCall['delta'] = () => {};
    let told: unknown = null;
    const { events, deltas } = await within(5, (_, { signal, delta }) => {
      say = delta;
      delta('Well, ');
      signal.addEventListener('abort', () => (told = signal.reason));
      return never();
    });
    say('too late');
    expect(events).toEqual([timedOut()]);
    expect(told).toMatchObject({ name: 'TimeoutError' });
    expect(deltas).toEqual([{ kind: 'text', text: 'Well, ' }]);
  });

  test('T11 what it has used is counted, whether it fails or answers then', async () => {
    const usage = { inputTokens: 11, outputTokens: 2 };
    const onceTold =
      (last: () => unknown): Answering =>
      (_, { signal }) =>
        new Promise((resolve) => signal.addEventListener('abort', () => resolve(last())));
    const failing = onceTold(() => Promise.reject(new ModelError('stopped', 'stopped', usage)));
    expect((await within(5, failing)).events).toEqual([timedOut(usage)]);
    expect(
      (
        await within(
          5,
          onceTold(() => ({ text: 'At last.', usage })),
        )
      ).events,
    ).toEqual([timedOut(usage)]);
  });

  test('T11 one that is told to stop in time was interrupted', async () => {
    const told = new AbortController();
    const answer: Answering = () => {
      setImmediate(() => told.abort('abort'));
      return never();
    };
    expect((await within(60_000, answer, told.signal)).events).toMatchObject([{ type: 'model.interrupted' }]);
  });

  test('T11 an answer may take ten minutes by default', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    let isTold = false;
    const events = eventsOf((_, { signal }) => {
      signal.addEventListener('abort', () => (isTold = true));
      return never();
    });
    await vi.advanceTimersByTimeAsync(MODEL_TIMEOUT_MS - 1);
    expect(isTold).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await events).toEqual([
      failedWith('model_timed_out', 'The model did not answer within 600000 ms.', guessed()),
    ]);
  });
});
