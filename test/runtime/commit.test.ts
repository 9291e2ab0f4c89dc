import { expect, test, vi } from 'vitest';
import type { EffectCall } from '../../src/actors/actor.ts';
import { LogError } from '../../src/log/log.ts';
import { LEASE_RENEW_MS, LEASE_TTL_MS } from '../../src/log/lease-store.ts';
import { memoryLog } from '../../src/log/sqlite/engine.ts';
import type { MakeHandlers } from '../../src/runtime/make-handlers.ts';
import type { LoopDecision } from '../../src/strategies/loop-decision.ts';
import { aroundAppend } from '../support/around-append.ts';
import { own, under } from '../support/own-strategy.ts';
import { createHarness } from '../support/harness.ts';
import { ended, history } from '../support/run-history.ts';
import { never, note, stopped, tool, untilStopped } from '../support/stand-ins.ts';

/** Wraps handlers, and notes the keys of the effects that were really executed. */
function performing(keys: string[]): (inner: MakeHandlers) => MakeHandlers {
  return (inner) => (run, settings, loop) => {
    const cast = inner(run, settings, loop);
    return {
      ...cast,
      execute: (effect, context) => {
        const execution = cast.execute(effect, context);
        if (execution.kind === 'child') return execution;
        const perform = (call: EffectCall) => {
          keys.push(effect.key);
          return execution.execute(call);
        };
        return { ...execution, execute: perform };
      },
    };
  };
}

test('an effect that is started and stopped within one batch never starts', async () => {
  const keys: string[] = [];
  const { facts } = await createHarness({
    aroundHandlers: performing(keys),
    model: { answers: [{ text: 'done' }] },
  }).play();
  expect(facts.slice(-3).map(({ type }) => type)).toEqual(['decision.made', 'summary.written', 'strategy.ended']);
  expect(keys.toSorted()).toEqual(['deadline', 'model']);
});

test('a grace without pending effects never starts', async () => {
  const keys: string[] = [];
  const asked = Promise.withResolvers<void>();
  const onIterationComplete = () => (asked.resolve(), never<LoopDecision>());
  const { abort, ...live } = await under({ onIterationComplete }, { aroundHandlers: performing(keys) }).start(own);
  await asked.promise;
  await abort();
  await ended(live);
  expect(keys).toContain('judge');
  expect(keys).not.toContain('grace');
});

test('a batch that cannot be recorded is not recorded at all, and nothing it asks for happens', async () => {
  const keys: string[] = [];
  const inner = memoryLog();
  const full = new LogError('unavailable', 'memory:', 'the disk is full', 'Make room.');
  const log = aroundAppend(inner, (request, append) =>
    request.events.some(({ type }) => type === 'calls.admitted') ? Promise.reject(full) : append(request),
  );
  const harness = createHarness({
    log,
    tools: [note],
    aroundHandlers: performing(keys),
    model: { answers: [{ calls: [{ tool: 'note' }] }] },
  });
  const { run, done } = await harness.start();
  await expect(done).rejects.toBe(full);
  expect((await history(inner, run)).map(({ type }) => type)).toEqual(['run.started', 'decision.made', 'step.started']);
  expect(keys).not.toContain('call.0.0');
  expect(await inner.holder(run)).toBeNull();
});

test('nothing starts before what asked for it is durable', async () => {
  const asked: string[] = [];
  const opening = Promise.withResolvers<void>();
  const log = aroundAppend(memoryLog(), async (request, append) => {
    if (request.expectedVersion === 0) await opening.promise;
    return append(request);
  });
  const harness = createHarness({ log, model: () => (asked.push('asked'), { text: 'done' }) });
  const starting = harness.start();
  await new Promise((resolve) => setImmediate(resolve));
  expect(asked).toEqual([]);
  opening.resolve();
  await ended(await starting);
  expect(asked).toEqual(['asked']);
});

test('a run that cannot be opened leaves no trace', async () => {
  const inner = memoryLog();
  const log = aroundAppend(inner, () =>
    Promise.reject(new LogError('unavailable', 'memory:', 'no room', 'Make some.')),
  );
  let released = 0;
  const harness = createHarness({
    log,
    model: { answers: [{ text: 'done' }] },
    aroundHandlers: (make) => (run, settings, loop) => ({
      ...make(run, settings, loop),
      release: async () => void (released += 1),
    }),
  });
  await expect(harness.start()).rejects.toThrow('no room');
  expect(await inner.runs()).toEqual([]);
  expect(released).toBe(1);
});

test('a run that cannot be resumed gives its lease back', async () => {
  const inner = memoryLog();
  const model = { answers: [{ calls: [{ tool: 'slow' }] }] };
  const first = await createHarness({ log: inner, model, tools: [untilStopped('slow')] }).start();
  await first.observer.untilDelta(({ text }) => text === 'slow');
  await first.pause('user');
  await first.done;
  const log = aroundAppend(inner, () =>
    Promise.reject(new LogError('unavailable', 'memory:', 'no room', 'Make some.')),
  );
  await expect(createHarness({ log, model, tools: [note] }).resume(first.run)).rejects.toThrow('no room');
  expect(await inner.holder(first.run)).toBeNull();
});

const GONE = 'the process that ran it is gone';

/** A run in the middle of two calls, whose lease has run out and was taken by another process. */
async function overtaken() {
  let storeTime = Date.now();
  const log = memoryLog({ now: () => storeTime });
  const first = Promise.withResolvers<{ output: string }>();
  const told = Promise.withResolvers<unknown>();
  const model = { answers: [{ calls: [{ tool: 'first' }, { tool: 'second' }] }, { text: 'done' }] };
  const sleepy = createHarness({
    log,
    model,
    tools: [
      tool('first', () => first.promise, { effectClass: 'once' }),
      tool(
        'second',
        async (_input, context) => {
          context.delta('second');
          await stopped(context);
          told.resolve(context.signal.reason);
          return { output: 'too late' };
        },
        { effectClass: 'once' },
      ),
    ],
  });
  const live = await sleepy.start();
  await live.observer.untilDelta(({ text }) => text === 'second');
  storeTime += LEASE_TTL_MS;
  const other = createHarness({
    log,
    model,
    tools: ['first', 'second'].map((name) => ({ ...note, name, effectClass: 'once' as const })),
  });
  const successor = await ended(await other.resume(live.run));
  return { log, live, first, told, successor, written: await history(log, live.run) };
}

test('a run whose lease another process took ends as lost with its next event, and writes nothing more', async () => {
  const { log, live, first, told, successor, written } = await overtaken();
  expect(successor.outcome.ending).toBe('success');
  first.resolve({ output: 'I am late' });
  expect(await live.done).toEqual({ kind: 'lost', detail: expect.stringMatching(/lease|ended/) });
  expect(await told.promise).toBe('pause');
  expect(await history(log, live.run)).toEqual(written);
  const lost = written.flatMap((fact) => (fact.type === 'tool.interrupted' ? [fact.payload.reason] : []));
  expect(lost).toEqual([expect.stringContaining(GONE), expect.stringContaining(GONE)]);
  expect(await log.verify(live.run)).toMatchObject({ kind: 'intact' });
});

test('a run that finds its lease gone when it renews it ends as lost, and its effects are told', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    const { log, live, told, written } = await overtaken();
    vi.advanceTimersByTime(LEASE_RENEW_MS);
    expect(await live.done).toEqual({ kind: 'lost', detail: expect.stringContaining('has taken over') });
    expect(await told.promise).toBe('pause');
    expect(await history(log, live.run)).toEqual(written);
  } finally {
    vi.useRealTimers();
  }
});
