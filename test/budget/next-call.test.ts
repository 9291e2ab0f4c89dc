import { describe, expect, test } from 'vitest';
import type { EventOf, LoopEvent } from '../../machines/events.ts';
import type { Price } from '../../machines/price.ts';
import type { RunSettings } from '../../machines/settings.ts';
import { NextCall, priceOfEither } from '../../src/budget/next-call.ts';
import * as has from '../support/facts.ts';

/** The estimate after a turn has started and these events were observed. */
function expected(...events: readonly LoopEvent[]): number {
  const next = new NextCall();
  for (const event of [has.turnStarted(), ...events]) next.observe(event);
  return next.inputTokens;
}

/** What an event adds to the estimate after the first answer of the model, which a provider has counted. */
const adds = (event: LoopEvent): number => expected(has.modelAnswered, event) - expected(has.modelAnswered);

const answered = (usage: object, more: object = {}): LoopEvent =>
  ({ type: 'model.completed', payload: { text: 'x'.repeat(400), calls: [], usage, ...more } }) as LoopEvent;

describe('the estimated input of the next call', () => {
  const counted = { inputTokens: 1_000, outputTokens: 300, reasoningTokens: 200 };

  test('leaves out reasoning tokens, which are not sent again', () => {
    expect(expected(answered(counted))).toBe(1_100);
    expect(expected(answered({ inputTokens: 1_000, outputTokens: 300 }))).toBe(1_300);
  });

  test('contains reasoning tokens where the provider wants them back', () =>
    expect(expected(answered(counted, { continuity: {} }))).toBe(1_300));

  test('is never below the counted input, whatever a provider says of reasoning', () =>
    expect(expected(answered({ ...counted, reasoningTokens: 900 }))).toBe(1_000));

  test('is the text so far where a provider counts no input', () =>
    expect(expected(answered({ inputTokens: 0, outputTokens: 9 })) - expected()).toBe(100));

  test.each<readonly [string, LoopEvent]>([
    ['the output of a call', { type: 'tool.completed', payload: { callId: '0.0', output: 'x'.repeat(40) } }],
    [
      'the fault of a call',
      { type: 'tool.failed', payload: { callId: '0.0', fault: { code: 'no', message: 'x'.repeat(40) } } },
    ],
    ['why a call was stopped', { type: 'tool.interrupted', payload: { callId: '0.0', reason: 'x'.repeat(40) } }],
    [
      'why a call was refused',
      { type: 'calls.admitted', payload: { run: [], refused: [{ callId: '0.0', reason: 'x'.repeat(40) }] } },
    ],
    ['the answer of a user', { type: 'person.answered', payload: { callId: '0.0', answer: 'x'.repeat(40) } }],
    ['the text of a user', { type: 'run.steered', payload: { text: 'x'.repeat(40) } }],
  ])('grows by %s', (_what, event) => expect(adds(event)).toBe(10));

  test('grows by the feedback of a decision in a turn, and not in a loop of attempts', () => {
    const { payload } = has.decidedToGoOn as Extract<LoopEvent, { type: 'decision.made' }>;
    const decided: LoopEvent = { type: 'decision.made', payload: { ...payload, feedback: 'x'.repeat(40) } };
    expect(adds(decided)).toBe(10);
    expect(adds(has.decidedToGoOn)).toBe(0);
    const next = new NextCall();
    next.observe(has.loopStarted());
    const before = next.inputTokens;
    next.observe(decided);
    expect(next.inputTokens).toBe(before);
  });
});

describe('before the first answer, the estimated input', () => {
  const after = (settings: Partial<RunSettings>, ...events: readonly LoopEvent[]): number => {
    const next = new NextCall();
    const { type, payload } = has.turnStarted();
    const plain = { ...payload.settings, prompt: 'x'.repeat(40), ...settings };
    for (const event of [{ type, payload: { ...payload, settings: plain } }, ...events]) next.observe(event);
    return next.inputTokens;
  };

  test('is nothing before the run has started', () => expect(new NextCall().inputTokens).toBe(0));

  test('is the prompt, the system prompt and the images', () => {
    expect(after({})).toBe(10);
    expect(after({ system: 'x'.repeat(80) })).toBe(30);
    expect(after({ images: [{ hash: 'a', type: 'image/png', name: 'a.png' }] as never })).toBe(1_610);
  });

  test('is the messages before the prompt as well', () =>
    expect(after({ history: [{ role: 'user', text: 'x'.repeat(20) }] as never })).toBe(15));

  test('is the descriptions of tools where any may be called', () => {
    expect(after({ toolCharacters: 400 })).toBe(110);
    expect(after({ toolCharacters: 400, limits: { ...has.LIMITS, maxSteps: 0 } })).toBe(10);
  });

  test('is the task and the summary, with what was kept, once the conversation was summarised', () => {
    const summary = 'x'.repeat(20);
    const usage = { inputTokens: 1, outputTokens: 1 };
    const compacted = (more: object): LoopEvent =>
      ({ type: 'context.compacted', payload: { summary, usage, ...more } }) as LoopEvent;
    expect(after({}, answered({ inputTokens: 900, outputTokens: 9 }), compacted({}))).toBe(15);
    expect(after({}, compacted({ kept: { characters: 8 } }))).toBe(17);
    expect(after({ history: [{ role: 'user', text: 'x'.repeat(20) }] as never }, compacted({}))).toBe(15);
  });

  test('grows by the answer of delegated work, and not by that of an attempt', () => {
    expect(after({}, has.handedBack('0.0')) - after({})).toBe(1);
    expect(after({}, has.attemptSettled()) - after({})).toBe(0);
  });
});

test('the input counts as counted once a provider has counted any', () => {
  const next = new NextCall();
  next.observe(has.turnStarted());
  expect(next.isCounted).toBe(false);
  next.observe(answered({ inputTokens: 1, outputTokens: 0 }));
  expect(next.isCounted).toBe(true);
  next.observe({ type: 'context.compacted', payload: { summary: '', usage: { inputTokens: 1, outputTokens: 1 } } });
  expect(next.isCounted).toBe(false);
});

describe('the price of the next call', () => {
  const price = (input: number, output: number, more: Partial<Price> = {}): Price => ({
    inputPerMillion: input,
    outputPerMillion: output,
    source: 'test',
    ...more,
  });
  const prices = { small: price(1, 9), large: price(3, 5, { cacheWritePerMillion: 4, source: 'table' }) };
  const dearest = price(3, 9, { cacheWritePerMillion: 4, source: 'test; table' });
  const started = (settings: Partial<RunSettings>): EventOf<'run.started'> => {
    const { type, payload } = has.turnStarted();
    return { type, payload: { ...payload, settings: { ...payload.settings, model: 'small', ...settings } } };
  };
  const after = (...events: readonly LoopEvent[]): Price | null => {
    const next = new NextCall();
    for (const event of events) next.observe(event);
    return next.price;
  };
  const replaced: LoopEvent = {
    type: 'model.replaced',
    payload: { from: 'small', to: 'large', fault: { code: 'gone', message: 'gone' } },
  };

  test('is the highest of either model, for each kind of token', () => {
    expect(priceOfEither({ model: 'small', fallbackModel: 'large', prices })).toEqual(dearest);
    expect(priceOfEither({ model: 'large', fallbackModel: 'small', prices })).toEqual({
      ...dearest,
      source: 'table; test',
    });
  });

  test('is that of the one whose price is known', () => {
    const alone = { ...prices.small, cacheWritePerMillion: 0 };
    expect(priceOfEither({ model: 'small', prices })).toEqual(alone);
    expect(priceOfEither({ model: 'other', fallbackModel: 'small', prices })).toEqual(alone);
    expect(priceOfEither({ model: 'other', fallbackModel: null, prices })).toBeNull();
    expect(priceOfEither({ model: 'small' })).toBeNull();
  });

  test('is that of the fallback alone once it has replaced the model', () => {
    const either = started({ fallbackModel: 'large', prices });
    expect(after(either)).toEqual(dearest);
    expect(after(either, replaced)).toEqual(prices.large);
    expect(after(started({ fallbackModel: 'small', prices }), replaced)).toEqual(prices.large);
  });

  test('is also known from a continuation', () => {
    const { payload } = has.continued() as EventOf<'run.continued'>;
    const continued: LoopEvent = { type: 'run.continued', payload: { ...payload, prices: { small: prices.large } } };
    expect(after(started({ prices }), continued)).toEqual(prices.large);
    expect(after(started({ prices: { small: prices.large } }), has.continued())).toEqual(prices.large);
  });

  test('is what the last answer was charged, where no other is known', () => {
    const charged = answered({ inputTokens: 5, outputTokens: 5, cost: { nanoUsd: 9, price: prices.large } });
    expect(after(started({}), charged)).toEqual(prices.large);
    expect(after(started({}), charged, has.modelAnswered)).toEqual(prices.large);
    expect(after(started({ prices }), charged)?.outputPerMillion).toBe(9);
  });
});
