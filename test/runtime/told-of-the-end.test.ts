import { expect, test } from 'vitest';
import { ENDING_LIMIT_MS } from '../../machines/life.ts';
import { LEASE_TTL_MS } from '../../src/log/lease-store.ts';
import { memoryLog } from '../../src/log/sqlite/engine.ts';
import type { LoopDecision } from '../../src/strategies/loop-decision.ts';
import type { LoopEndEvent, LoopStrategy } from '../../src/strategies/strategy.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { own, under } from '../support/own-strategy.ts';
import { ended, history } from '../support/run-history.ts';
import { never, untilStopped, verdicts } from '../support/stand-ins.ts';

test('L1 L4 a strategy is told of every ending, once, before the run is over', async () => {
  const heard: LoopEndEvent[] = [];
  const onLoopEnd = async (event: LoopEndEvent) => void heard.push(event);
  const end = async (verify: boolean, asked: object, more = {}) => {
    heard.length = 0;
    const harness = under({ onLoopEnd }, { services: { verify: verdicts(verify) }, ...more });
    const { outcome, facts, run } = await harness.play({ ...own, ...asked });
    const told = facts.findIndex(({ type }) => type === 'strategy.ended');
    expect(told).toBe(facts.length - 1);
    expect(facts[told]?.payload).toEqual({ strategy: 'own', fault: null });
    expect(heard).toEqual([
      expect.objectContaining({
        runId: run,
        ending: outcome.ending,
        elapsedMs: expect.any(Number),
      }),
    ]);
    return heard[0];
  };
  expect(await end(true, {})).toMatchObject({ finalResult: 'success', ending: 'success', totalIterations: 1 });
  expect(await end(false, { maxIterations: 2 })).toMatchObject({
    finalResult: 'max_iterations',
    ending: 'cap_hit',
    totalIterations: 2,
  });
  expect(await end(false, { maxTokens: 1 })).toMatchObject({ finalResult: 'strategy_stop', ending: 'budget' });
  const failing = { model: { answers: [{ error: { code: 'broken', message: 'out of order' } }] } };
  expect(await end(false, {}, failing)).toMatchObject({ finalResult: 'error', ending: 'abort' });
});

test('L1 L4 it is told of an abort, and of a time limit, in the middle of an attempt', async () => {
  const heard: LoopEndEvent[] = [];
  const onLoopEnd = async (event: LoopEndEvent) => void heard.push(event);
  const clock = fakeClock();
  const tools = [untilStopped('slow')];
  const harness = under({ onLoopEnd }, { clock, tools, model: { answers: [{ calls: [{ tool: 'slow' }] }] } });
  const first = await harness.start({ ...own, maxTime: '1m' });
  await first.observer.untilDelta(({ text }) => text === 'slow');
  await first.abort();
  expect((await ended(first)).outcome).toMatchObject({ ending: 'abort', cause: 'user' });
  const second = await harness.start({ ...own, maxTime: '1m' });
  await second.observer.untilDelta(({ text }) => text === 'slow');
  clock.advance(60_000);
  await ended(second);
  expect(heard.map(({ finalResult, ending }) => [finalResult, ending])).toEqual([
    ['error', 'abort'],
    ['timeout', 'cap_hit'],
  ]);
  expect(heard[1]?.elapsedMs).toBe(60_000);
});

test('L4 a run that is paused while its strategy is told of the end is paused, and not ended', async () => {
  const { promise: told, resolve } = Promise.withResolvers<void>();
  const harness = under({ onLoopEnd: () => (resolve(), never()) }, { services: { verify: verdicts(true) } });
  const live = await harness.start(own);
  await told;
  await live.pause('user');
  expect(await live.done).toEqual({ kind: 'paused' });
});

/** A loop that counts what its strategy is told of each ending. */
async function heardBy(members: Partial<LoopStrategy>, asked: object = {}, more: Parameters<typeof under>[1] = {}) {
  const heard: LoopEndEvent[] = [];
  const harness = under({ ...members, onLoopEnd: async (event) => void heard.push(event) }, more);
  const { outcome, facts } = await harness.play({ ...own, ...asked });
  expect(facts.filter(({ type }) => type === 'strategy.ended')).toHaveLength(1);
  return { outcome, heard: heard.map(({ finalResult, ending }) => [finalResult, ending]) };
}

test('L4 it is told once of a loop that it stopped itself, by each action', async () => {
  const says = (decision: LoopDecision) => heardBy({ onIterationComplete: async () => decision }, { checks: [] });
  const stop = { continue: false, reason: 'enough' };
  expect((await says({ ...stop, action: 'fail' })).heard).toEqual([['strategy_stop', 'doom_loop']]);
  expect((await says(stop)).heard).toEqual([['strategy_stop', 'doom_loop']]);
  expect((await says({ ...stop, action: 'timeout' })).heard).toEqual([['timeout', 'cap_hit']]);
  const limit = { name: 'iterations', limit: 1 } as const;
  expect((await says({ ...stop, action: 'timeout', limit })).heard).toEqual([['max_iterations', 'cap_hit']]);
  expect((await says({ ...stop, action: 'complete' })).heard).toEqual([['success', 'success']]);
});

test('L4 it is told once of its own error', async () => {
  const broken = await heardBy({ onIterationComplete: () => Promise.reject(new Error('my fault')) });
  expect(broken.outcome).toMatchObject({ ending: 'abort', cause: 'error' });
  expect(broken.heard).toEqual([['error', 'abort']]);
});

test('L4 it is told once of an abort that came while it was thinking', async () => {
  const heard: LoopEndEvent[] = [];
  const asked = Promise.withResolvers<void>();
  const members: Partial<LoopStrategy> = {
    onIterationComplete: () => (asked.resolve(), never()),
    onLoopEnd: async (event) => void heard.push(event),
  };
  const { abort, ...live } = await under(members).start(own);
  await asked.promise;
  await Promise.all([abort(), abort()]);
  expect((await ended(live)).outcome).toMatchObject({ ending: 'abort', cause: 'user' });
  expect(heard).toMatchObject([{ finalResult: 'error', ending: 'abort', totalIterations: 1 }]);
});

test('L17 the time limit does not wait for a strategy that thinks: cap_hit, whatever it would have said', async () => {
  const heard: LoopEndEvent[] = [];
  const clock = fakeClock();
  const asked = Promise.withResolvers<void>();
  const thought = Promise.withResolvers<LoopDecision>();
  let times = 0;
  const members: Partial<LoopStrategy> = {
    onIterationComplete: () => {
      times += 1;
      asked.resolve();
      return thought.promise;
    },
    onLoopEnd: async (event) => void heard.push(event),
  };
  const live = await under(members, { clock }).start({ ...own, checks: [], maxTime: '1m' });
  await asked.promise;
  clock.advance(60_000);
  const { outcome } = await ended(live);
  thought.resolve({ continue: false, action: 'complete', reason: 'DONE' });
  expect(outcome).toEqual({ ending: 'cap_hit', limit: { name: 'time_ms', used: 60_000, limit: 60_000 } });
  expect(heard).toMatchObject([{ finalResult: 'timeout', ending: 'cap_hit' }]);
  expect(times).toBe(1);
});

test('L1 an onLoopEnd that throws is recorded, and changes nothing', async () => {
  const onLoopEnd = () => Promise.reject(new Error('no goodbyes'));
  const { outcome, facts } = await under({ onLoopEnd }, { services: { verify: verdicts(true) } }).play(own);
  expect(outcome.ending).toBe('success');
  expect(facts.at(-1)?.payload).toEqual({
    strategy: 'own',
    fault: { code: 'strategy_failed', message: 'no goodbyes' },
  });
});

test('L1 an onLoopEnd that never returns is cut off by the time limit of the ending', async () => {
  const clock = fakeClock();
  const called = Promise.withResolvers<void>();
  const onLoopEnd = () => (called.resolve(), never<void>());
  const { observer, ...live } = await under({ onLoopEnd }, { clock, services: { verify: verdicts(true) } }).start(own);
  await called.promise;
  clock.advance(ENDING_LIMIT_MS);
  expect((await ended(live)).outcome.ending).toBe('success');
  expect(observer.facts.at(-1)).toMatchObject({ type: 'timer.fired', payload: { timer: 'ending' } });
});

test('L1 an onLoopEnd that a crash cut short is called again, because its end was not recorded', async () => {
  let storeTime = Date.now();
  const log = memoryLog({ now: () => storeTime });
  const called = Promise.withResolvers<void>();
  const stuck = under(
    { onLoopEnd: () => (called.resolve(), never<void>()) },
    { log, services: { verify: verdicts(true) } },
  );
  const { run } = await stuck.start(own);
  await called.promise;
  storeTime += LEASE_TTL_MS;
  const heard: LoopEndEvent[] = [];
  const { outcome } = await ended(
    await under({ onLoopEnd: async (event) => void heard.push(event) }, { log }).resume(run),
  );
  expect(outcome.ending).toBe('success');
  expect(heard).toMatchObject([{ runId: run, finalResult: 'success', totalIterations: 1 }]);
  expect((await history(log, run)).filter(({ type }) => type === 'strategy.ended')).toHaveLength(1);
});
