import { expect, test } from 'vitest';
import type { LoopEvent } from '../../../machines/events.ts';
import { scriptedModel } from '../../../src/actors/model/model-script.ts';
import type { ModelRequest } from '../../../src/actors/model/model.ts';
import { decidedToGoOn, iterationStarted } from '../../support/facts.ts';
import {
  discovered,
  evaluated,
  experimented,
  filtered,
  integrated,
  planned,
  preparedFor,
  settled,
} from './night-facts.ts';
import { batches, waitingForPlans } from './waiting-for-plans.ts';

const USAGE = { inputTokens: 50, outputTokens: 5 };
const TITLE = /Mend (\S+)/;

/** A model that plans, and how often it was asked. */
function planner() {
  let asked = 0;
  const model = scriptedModel(async ({ messages }: ModelRequest) => {
    asked += 1;
    const prompt = messages.map((one) => (one.role === 'user' ? one.text : '')).join('');
    const [, name = ''] = TITLE.exec(prompt) ?? [];
    return name === 'broken'
      ? { error: { code: 'overloaded', message: 'busy' }, usage: USAGE }
      : { text: `Plan of ${name}`, usage: USAGE };
  });
  return { model, asked: () => asked };
}

test('I1 without a batch service only the experiment that is about to start gets a plan, which counts', async () => {
  const { model } = planner();
  const events = await waitingForPlans(['a', 'b', 'c']).written({ model });
  expect(events).toEqual([
    {
      type: 'plans.written',
      payload: { plans: [{ candidate: 'a', text: 'Plan of a' }], by: 'calls', usage: USAGE },
    },
  ]);
});

test('I1 a plan that fails is missing, with its reason and its cost', async () => {
  const [event] = await waitingForPlans(['broken', 'a']).written({ model: planner().model });
  expect(event?.payload).toMatchObject({ plans: [], fault: { code: 'overloaded' }, usage: USAGE });
});

const NOTHING = { type: 'plans.written', payload: { plans: [], by: 'calls' } };

/** The first candidate is refused, and the second iteration finds the second one again. */
const nextIteration = [
  preparedFor('a'),
  settled(5),
  evaluated('a'),
  integrated('a'),
  decidedToGoOn,
  iterationStarted(1),
  discovered(['b']),
  filtered(['b']),
  decidedToGoOn,
  experimented('b'),
];

test('I1 I4 a plan that was written in an earlier iteration is used again, and not paid again', () => {
  const waiting = waitingForPlans(['a', 'b']);
  expect(waiting.decided({})).toBeNull();
  waiting.add(planned(['a', 'b']), ...nextIteration);
  expect(waiting.decided({})).toEqual(NOTHING);
});

test('I1 a plan that was never written is asked for when its experiment is about to start', async () => {
  const waiting = waitingForPlans(['a', 'b']);
  waiting.add(planned(['a']), ...nextIteration);
  expect(waiting.decided({})).toBeNull();
  const [event] = await waiting.written({ model: planner().model });
  expect(event?.payload).toMatchObject({ plans: [{ candidate: 'b', text: 'Plan of b' }] });
});

test('I15 a plan that a batch has not brought is written by a call once its experiment begins', async () => {
  const { service, submitted } = batches(0);
  const waiting = waitingForPlans(['a', 'b']);
  const batched: LoopEvent = { type: 'plans.written', payload: { plans: [], by: 'batch' } };
  waiting.add(batched, preparedFor('a'), settled(5), evaluated('a', 'L1'), decidedToGoOn, experimented('b'));
  const events = await waiting.written({ batch: service, model: planner().model });
  expect(events.map(({ payload }) => payload)).toMatchObject([
    { by: 'calls', plans: [{ candidate: 'b', text: 'Plan of b' }] },
  ]);
  expect(submitted()).toBe(0);
});

test('I1 I4 where the budget has no room beside the experiment, no plan is asked for', async () => {
  const { model, asked } = planner();
  const night = { limits: { maxTokens: 100_000 } };
  const waiting = waitingForPlans(['a', 'b'], {
    ...night,
    options: { phases: { experiment: { estimateTokens: 300 } } },
  });
  const [event] = await waiting.written({ model });
  expect(event?.payload).toMatchObject({ plans: [], fault: { code: 'budget_exhausted' } });
  expect(asked()).toBe(0);
});

test('I4 a tenth of the estimate of the experiment is set aside for its plan, and no more than is left', () => {
  const tokens = (maxTokens: number) => waitingForPlans(['a', 'b'], { limits: { maxTokens } }).reserved();
  expect([tokens(1_000_000), tokens(7_000)]).toEqual([10_000, 7_000]);
});

test('I4 a batch sets aside what its plans may use', async () => {
  const waiting = waitingForPlans(['a', 'b', 'c'], { limits: { maxTokens: 1_000_000 } });
  const [submitted] = await waiting.written({ batch: batches(0).service });
  expect(submitted?.payload).toMatchObject({ requests: 3, reserved: { tokens: 30_000, nanoUsd: null } });
  expect(waiting.reserved()).toBe(30_000);
});

test('I4 of a batch as many plans are asked for as there is room for, the most relevant first', async () => {
  const { service, requests } = batches(0);
  const waiting = waitingForPlans(['a', 'b', 'c'], { limits: { maxTokens: 25_000 } });
  await waiting.written({ batch: service });
  expect(requests().map(({ id }) => id)).toEqual(['a', 'b']);
  const none = waitingForPlans(['a'], { limits: { maxTokens: 5_000 } });
  expect((await none.written({ batch: service })).at(-1)).toMatchObject({
    payload: { plans: [], by: 'calls', fault: { code: 'budget_exhausted' } },
  });
});

test('I1 a batch is recorded when it is handed in, and its results are waited for', async () => {
  const { service, asked, requests } = batches(3);
  const events = await waitingForPlans(['a', 'b']).written({ batch: service });
  expect(events.map(({ type }) => type)).toEqual(['batch.submitted', 'plans.written']);
  expect(events[0]?.payload).toEqual({ batch: 'batch-1', requests: 2 });
  expect(events[1]?.payload).toEqual({
    plans: [
      { candidate: 'a', text: 'Plan of a' },
      { candidate: 'b', text: 'Plan of b' },
    ],
    by: 'batch',
    usage: { inputTokens: 200, outputTokens: 20 },
  });
  expect(asked()).toBe(4);
  expect(requests().map(({ id, model }) => [id, model])).toEqual([
    ['a', 'script:answers.json'],
    ['b', 'script:answers.json'],
  ]);
});

test('I1 after a crash a recorded batch is waited for, and none is handed in again', async () => {
  const { service, submitted } = batches(0);
  const waiting = waitingForPlans(['a']);
  waiting.add({
    type: 'batch.submitted',
    payload: { batch: await service.submit([], { key: 'before', signal: AbortSignal.abort() }), requests: 0 },
  });
  const events = await waiting.written({ batch: service });
  expect(events.map(({ type }) => type)).toEqual(['plans.written']);
  expect(submitted()).toBe(1);
});

test('I1 after a crash before it was recorded, a batch is handed in under its key and stays one', async () => {
  const { service, submitted } = batches(0);
  const first = waitingForPlans(['a']);
  const lost = await first.written({ batch: service });
  const again = await waitingForPlans(['a']).written({ batch: service }, 'night/8/0');
  expect(again).toEqual(lost);
  expect(submitted()).toBe(1);
});

test('I1 told to stop while it waits, the plans are interrupted, and the same batch is waited for later', async () => {
  const { service, submitted } = batches(1);
  const waiting = waitingForPlans(['a']);
  const stopping = {
    ...service,
    result: async (...asked: Parameters<typeof service.result>) => {
      waiting.stop('pause');
      return service.result(...asked);
    },
  };
  const events = await waiting.written({ batch: stopping });
  expect(events.at(-1)).toEqual({ type: 'plans.interrupted', payload: { reason: 'pause' } });
  const later = waitingForPlans(['a']);
  later.add({ type: 'batch.submitted', payload: { batch: 'batch-1', requests: 1 } });
  later.add({ type: 'plans.interrupted', payload: { reason: 'pause' } });
  expect((await later.written({ batch: service })).map(({ type }) => type)).toEqual(['plans.written']);
  expect(submitted()).toBe(1);
});

const failing = async (message: string): Promise<never> => {
  throw new Error(message);
};
const FAILING = [
  ['is not taken', 'quota', { submit: () => failing('quota') }],
  [
    'is not known any more',
    'gone',
    { result: async () => ({ kind: 'failed' as const, fault: { code: 'gone', message: 'gone' } }) },
  ],
  ['cannot be asked about', 'no network', { result: () => failing('no network') }],
  ['has no result after a day', 'after 24 hours', { result: async () => ({ kind: 'pending' as const }) }],
] as const;

for (const [how, why, more] of FAILING) {
  test(`I15 where a batch ${how}, its plans are written by calls, and the reason is recorded`, async () => {
    const { service } = batches(0);
    const batch = { ...service, ...more };
    const events = await waitingForPlans(['a']).written({ batch, model: planner().model });
    expect(events.at(-1)).toMatchObject({
      type: 'plans.written',
      payload: {
        plans: [{ candidate: 'a', text: 'Plan of a' }],
        by: 'calls',
        fault: { message: expect.stringContaining(why) },
      },
    });
  });
}

test('I15 a batch that could not be handed in is handed in again, under the same key', async () => {
  const { service } = batches(0);
  const keys: string[] = [];
  const submit: typeof service.submit = async (requests, how) => {
    keys.push(how.key);
    return keys.length === 1 ? failing('503') : service.submit(requests, how);
  };
  const events = await waitingForPlans(['a', 'b']).written({ batch: { ...service, submit } });
  expect(new Set(keys).size).toBe(1);
  expect(keys).toHaveLength(2);
  expect(events.at(-1)?.payload).toMatchObject({ by: 'batch', plans: [{ candidate: 'a' }, { candidate: 'b' }] });
});

test('I15 a batch that failed is asked again once, as another one', async () => {
  const { service, submitted } = batches(0);
  let asked = 0;
  const result: typeof service.result = async (id, how) => {
    asked += 1;
    return asked === 1 ? { kind: 'failed', fault: { code: 'expired', message: 'expired' } } : service.result(id, how);
  };
  const events = await waitingForPlans(['a']).written({ batch: { ...service, result } });
  expect(events.map(({ type }) => type)).toEqual(['batch.submitted', 'batch.submitted', 'plans.written']);
  expect(submitted()).toBe(2);
  expect(events.at(-1)?.payload).toMatchObject({ by: 'batch', plans: [{ candidate: 'a' }] });
});
