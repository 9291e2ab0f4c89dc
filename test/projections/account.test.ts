import { expect, test } from 'vitest';
import type { LoopEvent } from '../../machines/events.ts';
import { shippedLoops } from '../../src/loops/index.ts';
import { Account } from '../../src/projections/run-account.ts';
import { turnStarted } from '../support/facts.ts';
import { recorded, summaryOf } from './recorded.ts';

const price = { inputPerMillion: 2, outputPerMillion: 10, source: 'a table' };
const usage = (nanoUsd: number | null) => ({
  inputTokens: 100,
  outputTokens: 10,
  cachedInputTokens: 40,
  ...(nanoUsd === null ? { estimated: true as const } : { cost: { nanoUsd, price } }),
});
const fault = { code: 'overloaded', message: 'busy' };

const started = turnStarted();
const nameless = { ...started, payload: { ...started.payload, settings: { ...started.payload.settings, model: '' } } };
/** A run to which another one has handed work over. */
const child = {
  ...nameless,
  payload: {
    ...nameless.payload,
    settings: { ...nameless.payload.settings, parent: { run: 'r', effect: 'r/3/0', iteration: 0, lineage: [] } },
  },
};

function accountOf(...events: LoopEvent[]): Account {
  const account = new Account(shippedLoops);
  for (const [index, event] of [nameless, ...events].entries())
    account.observe({ ...event, run: 'r', version: index + 1, at: '2026-01-01T00:00:00.000Z' });
  return account;
}

test('what a tree of runs has used is what its root has counted', async () => {
  const look = { calls: [{ tool: 'list', arguments: {} }], usage: usage(3_000_000) };
  const script = { attempts: [1, 2].map(() => ({ answers: [look, { text: 'done', usage: usage(null) }] })) };
  const { loops, run, factsOf } = await recorded(script, { checks: ['false'], maxIterations: 2 });
  const account = new Account(shippedLoops);
  const root = await factsOf(run);
  for (const fact of root) account.observe(fact);
  for (const one of (await loops.runs()).filter(({ parentEffect }) => parentEffect !== null))
    for (const fact of await factsOf(one.run)) account.observe(fact);
  expect(account.spend).toEqual(summaryOf(root).spend);
  expect(account.models).toEqual([
    {
      model: expect.any(String),
      requests: 4,
      inputTokens: 400,
      outputTokens: 40,
      cachedInputTokens: 160,
      reasoningTokens: 0,
      estimatedTokens: 220,
      costNanoUsd: 6_000_000,
      unpriced: 2,
      priceSources: ['a table'],
    },
  ]);
});

test('each model has its own account; failures that used tokens are in it, those that used none are not', () => {
  const account = accountOf(
    { type: 'model.retried', payload: { attempt: 1, fault, usage: usage(1) } },
    { type: 'model.retried', payload: { attempt: 2, fault, usage: { inputTokens: 0, outputTokens: 0 } } },
    { type: 'model.replaced', payload: { from: 'a/1', to: 'b/2', fault } },
    { type: 'model.completed', payload: { text: '', calls: [], usage: usage(5) } },
    { type: 'model.completed', payload: { text: '', calls: [], usage: usage(7), model: 'b/3' } },
  );
  expect(account.models.map(({ model, requests, costNanoUsd }) => [model, requests, costNanoUsd])).toEqual([
    ['', 1, 1],
    ['b/2', 1, 5],
    ['b/3', 1, 7],
  ]);
  expect(account.retries).toBe(2);
  expect(account.replaced).toEqual([{ from: 'a/1', to: 'b/2', because: 'busy' }]);
});

test('what people were asked and what they said, waits and idle spans, and what became of each file', () => {
  const call = (callId: string, tool: string, args: object) => ({
    callId,
    providerId: null,
    tool,
    arguments: { ...args },
  });
  const captured = (added: number | null): LoopEvent => ({
    type: 'workspace.captured',
    payload: { hash: null, ref: null, changed: [{ path: 'a', added, removed: 1 }] },
  });
  const account = accountOf(
    {
      type: 'model.completed',
      payload: {
        text: '',
        calls: [
          call('0.0', 'ask_user', { question: 'Which?' }),
          call('0.1', 'request_read_access', { path: '/etc', reason: 'why not' }),
        ],
        usage: usage(null),
      },
    },
    {
      type: 'calls.admitted',
      payload: {
        run: [
          { callId: '0.0', actor: 'askPerson' },
          { callId: '0.1', actor: 'askPerson' },
        ],
        refused: [],
      },
    },
    { type: 'person.answered', payload: { callId: '0.1', answer: 'no', access: { granted: false, path: '/etc' } } },
    { type: 'model.limited', payload: { retryAt: '2026-01-01T00:00:30.000Z' } },
    { type: 'run.resumed', payload: { idleMs: 4_000 } },
    { type: 'run.steered', payload: { text: 'quickly' } },
    captured(3),
    captured(4),
  );
  expect(account.asked).toEqual([
    { run: 'r', callId: '0.0', text: 'Which?', answer: null },
    { run: 'r', callId: '0.1', text: 'permission for reading /etc: why not', answer: 'denied: /etc' },
  ]);
  expect(account).toMatchObject({ limits: 1, limitedMs: 30_000, idleMs: 4_000, steered: ['quickly'] });
  expect(account.files).toEqual([{ path: 'a', added: 7, removed: 2 }]);
  expect(accountOf(captured(3), captured(null)).files).toEqual([{ path: 'a', added: null, removed: 2 }]);
});

test('a lost run that was charged its reservation is not counted again by its own facts', () => {
  const reserved = { inputTokens: 500, outputTokens: 0, estimated: true as const };
  const account = accountOf({ type: 'tool.interrupted', payload: { callId: '0.0', reason: 'lost', usage: reserved } });
  const at = '2026-01-01T00:00:00.000Z';
  account.observe({ ...child, run: 'lost', version: 1, at });
  account.observe({
    type: 'model.completed',
    payload: { text: '', calls: [], usage: usage(5) },
    run: 'lost',
    version: 2,
    at,
  });
  expect(account.spend).toMatchObject({ inputTokens: 500, outputTokens: 0 });
  expect(account.phases).toEqual([{ phase: 'children', tokens: 500, costNanoUsd: 0 }]);
});

test('all usage of delegated work belongs to the phase of children', () => {
  const account = accountOf(child, { type: 'model.completed', payload: { text: '', calls: [], usage: usage(5) } });
  expect(account.phases).toEqual([{ phase: 'children', tokens: 110, costNanoUsd: 5 }]);
});

test('I4 each phase has its own account, and all of them are the spend', () => {
  const account = accountOf(
    { type: 'model.completed', payload: { text: '', calls: [], usage: usage(5) } },
    { type: 'model.retried', payload: { attempt: 1, fault, usage: usage(1) } },
    {
      type: 'model.interrupted',
      payload: { reason: 'lost', text: '', usage: { inputTokens: 7, outputTokens: 0, estimated: true } },
    },
    { type: 'context.compacted', payload: { summary: '', usage: usage(2) } },
    { type: 'summary.written', payload: { text: '', usage: usage(3) } },
  );
  expect(account.phases).toEqual([
    { phase: 'answers', tokens: 110, costNanoUsd: 5 },
    { phase: 'failures', tokens: 117, costNanoUsd: 1 },
    { phase: 'compaction', tokens: 110, costNanoUsd: 2 },
    { phase: 'summary', tokens: 110, costNanoUsd: 3 },
  ]);
  const { inputTokens, outputTokens, costNanoUsd } = account.spend;
  const sum = (count: (one: (typeof account.phases)[number]) => number) =>
    account.phases.reduce((total, one) => total + count(one), 0);
  expect(sum(({ tokens }) => tokens)).toBe(inputTokens + outputTokens);
  expect(sum((one) => one.costNanoUsd)).toBe(costNanoUsd);
});
