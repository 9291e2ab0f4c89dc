import { describe, expect, test } from 'vitest';
import type { LoopEvent, Usage } from '../../../machines/events.ts';
import { type Model, type ModelAnswer, ModelError } from '../../../src/actors/model/model.ts';
import { modelActor, type ModelActorOptions, type Tries } from '../../../src/actors/model/model-actor.ts';
import { MAX_TRIES, MAX_WAITS } from '../../../src/actors/model/patience.ts';
import { performed } from '../performed.ts';
import { requestOf } from './request.ts';

const NOW = Date.parse('2026-11-22T10:00:00.000Z');
const usage: Usage = { inputTokens: 11, outputTokens: 2 };
const none = { inputTokens: 0, outputTokens: 0 };
const isDown = (afterMs: number | null = null, used: Usage = none) =>
  new ModelError('provider_unavailable', 'down', used, { kind: 'retry', afterMs });
const isLimited = (afterMs: number | null = null, used: Usage = none) =>
  new ModelError('rate_limited', 'slowly', used, { kind: 'wait', afterMs });

type Reply = ModelAnswer | ModelError;

/** Says one thing after the other, the last one again and again. */
function saying(name: string, ...replies: Reply[]): Model & { asked: () => number } {
  let asked = 0;
  return {
    name,
    asked: () => asked,
    answer: async () => {
      const reply = replies[Math.min(asked, replies.length - 1)];
      asked += 1;
      if (reply === undefined || reply instanceof ModelError) throw reply;
      return reply;
    },
  };
}

interface Asking extends ModelActorOptions {
  readonly tries?: Tries;
  readonly signal?: AbortSignal;
  readonly step?: number;
}

async function asking(model: Model, { tries = { retried: 0, limited: 0 }, signal, step = 0, ...options }: Asking = {}) {
  const slept: number[] = [];
  const sleep = async (milliseconds: number) => void slept.push(milliseconds);
  const actor = modelActor(model, { now: () => NOW, random: () => 1, sleep, ...options });
  const { events } = await performed(actor, { request: requestOf({ step }), tries }, signal);
  return { events, slept };
}

const types = (events: readonly LoopEvent[]) => events.map(({ type }) => type);

describe('a failure that may pass is asked again', () => {
  test('each failed try is recorded before the pause, with its usage and the time of the next one', async () => {
    const { events, slept } = await asking(saying('m', isDown(null, usage), isDown(4_000), { text: 'Here.' }));
    expect(events).toMatchObject([
      {
        type: 'model.retried',
        payload: {
          attempt: 1,
          usage,
          retryAt: '2026-11-22T10:00:01.000Z',
          fault: { code: 'provider_unavailable', message: 'down' },
        },
      },
      { type: 'model.retried', payload: { attempt: 2, usage: none, retryAt: '2026-11-22T10:00:04.000Z' } },
      { type: 'model.completed', payload: { text: 'Here.' } },
    ]);
    expect(slept).toEqual([1_000, 4_000]);
  });

  test('after so many tries it has failed, and says how often', async () => {
    const model = saying('m', isDown());
    const { events } = await asking(model);
    expect(model.asked()).toBe(MAX_TRIES);
    expect(types(events)).toEqual([...Array.from({ length: MAX_TRIES - 1 }, () => 'model.retried'), 'model.failed']);
    expect(events.at(-1)?.payload).toMatchObject({
      fault: { code: 'provider_unavailable', message: 'down (asked 5 times)' },
    });
  });

  test('tries before a crash count', async () => {
    const model = saying('m', isDown());
    const { events } = await asking(model, { tries: { retried: MAX_TRIES - 2, limited: 0 } });
    expect(model.asked()).toBe(2);
    expect(events).toMatchObject([
      { type: 'model.retried', payload: { attempt: MAX_TRIES - 1 } },
      { type: 'model.failed' },
    ]);
  });

  test('what has no remedy is asked once', async () => {
    const model = saying('m', new ModelError('authentication', '401', none));
    expect((await asking(model)).events).toEqual([
      { type: 'model.failed', payload: { fault: { code: 'authentication', message: '401' }, usage: none } },
    ]);
    expect(model.asked()).toBe(1);
  });

  test('told to stop in the pause, it is interrupted and asks no more', async () => {
    const told = new AbortController();
    const model = saying('m', isDown(null, usage));
    const { events } = await asking(model, { signal: told.signal, sleep: async () => told.abort('pause') });
    expect(events).toMatchObject([
      { type: 'model.retried' },
      { type: 'model.interrupted', payload: { reason: 'pause', text: '', usage: none } },
    ]);
    expect(model.asked()).toBe(1);
  });

  test('what a dead try has said is not part of the next', async () => {
    const told = new AbortController();
    let asked = 0;
    const model: Model = {
      name: 'm',
      answer: (_, { delta }) => {
        asked += 1;
        delta(asked === 1 ? 'Dead words' : 'Living');
        if (asked === 1) throw isDown();
        queueMicrotask(() => told.abort('abort'));
        return new Promise(() => {});
      },
    };
    const { events } = await asking(model, { signal: told.signal });
    expect(events.at(-1)).toMatchObject({ type: 'model.interrupted', payload: { text: 'Living' } });
  });
});

describe('a rate limit is a wait', () => {
  test('the result says until when, and nothing sleeps here', async () => {
    const { events, slept } = await asking(saying('m', isLimited(90_000)));
    expect(events).toEqual([
      {
        type: 'model.limited',
        payload: { retryAt: '2026-11-22T10:01:30.000Z', fault: { code: 'rate_limited', message: 'slowly' } },
      },
    ]);
    expect(slept).toEqual([]);
  });

  test('without a word from the provider, waits grow', async () => {
    const after = async (limited: number) =>
      (await asking(saying('m', isLimited()), { tries: { retried: 0, limited } })).events[0]?.payload;
    expect(await after(0)).toMatchObject({ retryAt: '2026-11-22T10:00:05.000Z' });
    expect(await after(3)).toMatchObject({ retryAt: '2026-11-22T10:00:40.000Z' });
  });

  test('what a limited stream had used is kept', async () => {
    const { events } = await asking(saying('m', isLimited(1_000, usage)));
    expect(events).toMatchObject([{ type: 'model.retried', payload: { usage } }, { type: 'model.limited' }]);
  });

  test('no limit is waited for without end', async () => {
    const { events } = await asking(saying('m', isLimited(1)), { tries: { retried: 0, limited: MAX_WAITS } });
    expect(events).toMatchObject([
      {
        type: 'model.failed',
        payload: { fault: { code: 'provider_unavailable', message: 'slowly (asked 31 times)' } },
      },
    ]);
  });
});

describe('another model takes over where the first cannot', () => {
  const second = () => saying('second', { text: 'I can.' });

  test('after its last try, and the record names the model it replaces and why; no spend is lost', async () => {
    const { events } = await asking(saying('first', isDown(null, usage)), { fallback: second() });
    const used = events.filter(({ type }) => type === 'model.retried');
    expect(used).toHaveLength(MAX_TRIES);
    expect(events.slice(-2)).toMatchObject([
      { type: 'model.replaced', payload: { from: 'first', to: 'second', fault: { message: 'down (asked 5 times)' } } },
      { type: 'model.completed', payload: { text: 'I can.' } },
    ]);
  });

  test.each(['authentication', 'provider_unavailable'])('%s is cured so', async (code) => {
    const { events } = await asking(saying('first', new ModelError(code, 'no')), { fallback: second() });
    expect(types(events)).toEqual(['model.replaced', 'model.completed']);
  });

  test('one that takes too long is cured so, and what it may have used is counted', async () => {
    const slow: Model = { name: 'slow', answer: () => new Promise(() => {}) };
    expect(types((await asking(slow, { fallback: second(), timeoutMs: 5 })).events)).toEqual([
      'model.retried',
      'model.replaced',
      'model.completed',
    ]);
  });

  test.each(['bad_request', 'context-full', 'bad_answer'])(
    '%s is not: the request is no better there',
    async (code) => {
      const other = second();
      const { events } = await asking(saying('first', new ModelError(code, 'no')), { fallback: other });
      expect(events).toMatchObject([{ type: 'model.failed', payload: { fault: { code } } }]);
      expect(other.asked()).toBe(0);
    },
  );

  test('it has tries of its own, and fails in its own words', async () => {
    const other = saying('second', isDown(), new ModelError('bad_request', 'not I'));
    const { events } = await asking(saying('first', isDown()), {
      fallback: other,
      tries: { retried: MAX_TRIES - 1, limited: 0 },
    });
    expect(types(events)).toEqual(['model.replaced', 'model.retried', 'model.failed']);
    expect(events.at(-1)?.payload).toMatchObject({ fault: { code: 'bad_request', message: 'not I' } });
  });
});

describe('what an answer cost is recorded with it', () => {
  const price = { inputPerMillion: 1, outputPerMillion: 10, source: 'test' };
  const cost = { nanoUsd: 31_000, price };

  test('of answers, of tries that failed, and of what was cut short', async () => {
    const model = { ...saying('m', isDown(null, usage), { text: 'Yes.', usage }), price: async () => price };
    expect((await asking(model)).events).toMatchObject([
      { type: 'model.retried', payload: { usage: { ...usage, cost } } },
      { type: 'model.completed', payload: { usage: { ...usage, cost } } },
    ]);
    const told = new AbortController();
    const cut: Model = {
      name: 'm',
      price: async () => price,
      answer: (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new ModelError('stopped', 'stopped', usage)));
          setImmediate(() => told.abort('abort'));
        }),
    };
    expect((await asking(cut, { signal: told.signal })).events).toMatchObject([
      { type: 'model.interrupted', payload: { usage: { cost } } },
    ]);
  });

  test('an unknown price is warned about once, in the first step of a run, and the answer stands', async () => {
    const unknown = { ...saying('m', { text: 'Yes.', usage }), price: async () => null };
    const { events } = await asking(unknown);
    expect(events).toMatchObject([
      { type: 'warning.raised', payload: { code: 'price_unknown' } },
      { type: 'model.completed', payload: { usage } },
    ]);
    expect(types((await asking(unknown, { step: 1 })).events)).toEqual(['model.completed']);
    expect(types((await asking(saying('m', { text: 'Yes.', usage }))).events)).toEqual(['model.completed']);
  });

  test('a table that fails knows nothing', async () => {
    const failing = { ...saying('m', { text: 'Yes.', usage }), price: () => Promise.reject(new Error('no table')) };
    expect((await asking(failing, { step: 1 })).events).toMatchObject([
      { type: 'model.completed', payload: { usage } },
    ]);
  });
});

describe('things to know about an answer', () => {
  test.each(['length', 'filter'] as const)(
    'an answer that its provider cut (%s) is kept, after a warning',
    async (cut) => {
      const { events } = await asking(saying('m', { text: 'Half', cut }));
      expect(events).toMatchObject([
        { type: 'warning.raised', payload: { code: 'answer_cut' } },
        { type: 'model.completed' },
      ]);
    },
  );

  test('an answer that says nothing comes with a warning', async () => {
    const { events } = await asking(saying('m', { text: ' ' }));
    expect(events).toMatchObject([
      { type: 'warning.raised', payload: { code: 'answer_empty' } },
      { type: 'model.completed' },
    ]);
  });

  test('who answered, and what it wants back, are part of the fact', async () => {
    const { events } = await asking(saying('m', { text: 'Yes.', model: 'openai/gpt-5', continuity: [{ seal: 1 }] }));
    expect(events).toMatchObject([{ payload: { model: 'openai/gpt-5', continuity: [{ seal: 1 }] } }]);
  });

  test('what the log cannot keep of it is left out, the answer stands', async () => {
    const odd = saying(
      'm',
      { text: 'Yes.', continuity: { at: new Date() } as never },
      { text: 'Yes.', continuity: 'x'.repeat(1_048_576) },
    );
    expect((await asking(odd)).events[0]?.payload).not.toHaveProperty('continuity');
    expect((await asking(odd)).events[0]?.payload).not.toHaveProperty('continuity');
  });
});
