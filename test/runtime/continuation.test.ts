import { expect, test } from 'vitest';
import type { Actor } from '../../src/actors/actor.ts';
import { memoryLog } from '../../src/log/sqlite/engine.ts';
import type { Change } from '../../src/runtime/extend-run.ts';
import { builtInStrategies } from '../../src/strategies/registry.ts';
import { z } from 'zod';
import { createHarness } from '../support/harness.ts';
import { throwing } from '../support/misbehaving-actors.ts';
import { ended, history } from '../support/run-history.ts';
import type { HarnessOptions } from '../support/harness-options.ts';
import { note, untilStopped, verdicts } from '../support/stand-ins.ts';
import { fakeClock } from '../support/fake-clock.ts';

/** Notes something new in every step, up to a number of steps; then it is done. */
const busy =
  (steps: number): HarnessOptions['model'] =>
  ({ step }) =>
    step < steps
      ? {
          calls: [{ tool: 'note', arguments: { step } }],
          usage: { inputTokens: 10, outputTokens: 1 },
        }
      : { text: 'done', usage: { inputTokens: 10, outputTokens: 1 } };

test.each<[string, object, Change]>([
  ['cap_hit', { maxSteps: 2 }, { limits: { maxSteps: 10 } }],
  ['budget', { maxToolCalls: 2 }, { limits: { maxToolCalls: 10 } }],
  ['budget', { maxTokens: 22 }, { limits: { maxTokens: null } }],
])('a turn that ended in %s goes on as a new run, its spend carried over', async (ending, asked, change) => {
  const harness = createHarness({ tools: [note], model: busy(4) });
  const first = await harness.play(asked);
  expect(first.outcome.ending).toBe(ending);
  const record = await harness.log.run(first.run);
  const live = await harness.extend(first.run, change);
  const { outcome, spend } = await ended(live);
  expect(live.run).not.toBe(first.run);
  expect(outcome.ending).toBe('success');
  expect(spend).toEqual({ steps: 5, toolCalls: 4, inputTokens: 50, outputTokens: 5 });
  expect(await history(harness.log, first.run)).toEqual(first.facts);
  expect(await harness.log.run(first.run)).toEqual(record);
  const facts = await history(harness.log, live.run);
  const end = first.facts.findIndex((fact) => fact.type === 'decision.made' && fact.payload.sink);
  expect(facts.slice(0, end)).toEqual(first.facts.slice(0, end));
  expect(facts.filter(({ type }) => type === 'model.completed')).toHaveLength(5);
  expect(facts[end]).toMatchObject({ type: 'run.continued', version: end + 1, run: live.run });
  expect(await harness.log.verify(live.run)).toMatchObject({ kind: 'intact' });
});

test('a turn that repeated itself continues without its earlier findings', async () => {
  let same = true;
  const harness = createHarness({
    tools: [note],
    model: ({ step }) => (same ? { calls: [{ tool: 'note' }] } : { text: `at ${step}` }),
  });
  const { run, outcome } = await harness.play();
  expect(outcome.ending).toBe('doom_loop');
  same = false;
  const next = await ended(await harness.extend(run));
  expect(next.outcome.ending).toBe('success');
  expect(next.answer).toBe('at 3');
});

test('a run that ended by wall time continues with more of it', async () => {
  const clock = fakeClock();
  const harness = createHarness({
    clock,
    tools: [untilStopped('slow')],
    model: ({ step }) => (step === 0 ? { calls: [{ tool: 'slow' }] } : { text: 'done' }),
  });
  const first = await harness.start({ maxTime: '1m' });
  await first.observer.untilDelta(({ text }) => text === 'slow');
  clock.advance(60_000);
  expect((await ended(first)).outcome.ending).toBe('cap_hit');
  clock.advance(3_600_000);
  expect(await harness.supervisor.extend(first.run, { limits: { maxTimeMs: 60_000 } })).toMatchObject({
    kind: 'not_raised',
    limit: { name: 'time_ms' },
  });
  expect((await ended(await harness.extend(first.run, { limits: { maxTimeMs: 120_000 } }))).outcome.ending).toBe(
    'success',
  );
});

test('a loop that ran out of iterations continues with the next one, told what the last got wrong', async () => {
  const prompts: string[] = [];
  const harness = createHarness({
    services: { verify: verdicts(false, false, true) },
    model: ({ messages: [task] }) => (prompts.push(task?.role === 'user' ? task.text : ''), { text: 'tried' }),
  });
  const { run, outcome, facts } = await harness.play({ checks: ['L1:npm test'], maxIterations: 2 });
  expect(outcome.ending).toBe('cap_hit');
  const live = await harness.extend(run, { limits: { maxIterations: 4 } });
  expect((await ended(live)).outcome.ending).toBe('success');
  const all = await history(harness.log, live.run);
  expect(all.filter((fact) => fact.type === 'iteration.started').map(({ payload }) => payload.iteration)).toEqual([
    0, 1, 2,
  ]);
  expect(prompts[2]).toContain('attempt 3 of 4');
  expect(prompts[2]).toContain('L1/npm test: npm test says no');
  const failed = facts.findLast(({ type }) => type === 'verification.completed');
  const goingOn = all.find((fact) => fact.version > facts.length - 3 && fact.type === 'decision.made');
  expect(goingOn?.type === 'decision.made' && goingOn.payload.evidence).toEqual([`${run}/${failed?.version}`]);
});

test('a loop that its strategy stopped goes on under another', async () => {
  const quits = {
    name: 'quits',
    onIterationComplete: async () => ({ continue: false, reason: 'enough', action: 'fail' as const }),
  };
  const strategies = builtInStrategies().register('quits', { config: z.looseObject({}), create: () => quits });
  const harness = createHarness({
    strategies,
    services: { verify: verdicts(false, true) },
    model: { answers: [{ text: 'tried' }] },
  });
  const { run, outcome } = await harness.play({ checks: ['true'], strategy: 'quits', maxIterations: 5 });
  expect(outcome).toMatchObject({ ending: 'doom_loop', finding: { detector: 'strategy-stop' } });
  const next = await ended(await harness.extend(run, { strategy: { name: 'fixed', config: {} } }));
  expect(next.outcome.ending).toBe('success');
});

test('a run that ended by an error goes on as a continuation when it is resumed', async () => {
  let isBroken = true;
  const harness = createHarness({
    tools: [note],
    model: ({ step }) => {
      if (step === 0) return { calls: [{ tool: 'note' }] };
      return isBroken ? { error: { code: 'down', message: 'out of order' } } : { text: 'recovered' };
    },
  });
  const { run, outcome } = await harness.play();
  expect(outcome).toMatchObject({ ending: 'abort', cause: 'error' });
  isBroken = false;
  const live = await harness.resume(run);
  expect(live.run).not.toBe(run);
  expect(await ended(live)).toMatchObject({
    outcome: { ending: 'success' },
    answer: 'recovered',
    spend: { toolCalls: 1 },
  });
  expect(await harness.log.run(live.run)).toMatchObject({ forkedFrom: { run } });
});

test('a loop whose attempt ended by an error continues with another attempt', async () => {
  let isBroken = true;
  const harness = createHarness({
    services: { verify: verdicts(true) },
    model: () => (isBroken ? { error: { code: 'down', message: 'out of order' } } : { text: 'recovered' }),
  });
  const { run, outcome } = await harness.play({ checks: ['true'] });
  expect(outcome).toMatchObject({ ending: 'abort', cause: 'error', fault: { code: 'down' } });
  isBroken = false;
  expect((await ended(await harness.resume(run))).outcome.ending).toBe('success');
});

test('an aborted run is over for resume, and goes on only when that is asked for', async () => {
  const harness = createHarness({
    tools: [untilStopped('slow')],
    model: ({ step }) => (step === 0 ? { calls: [{ tool: 'slow' }] } : { text: 'done' }),
  });
  const first = await harness.start();
  await first.observer.untilDelta(({ text }) => text === 'slow');
  await first.abort();
  await ended(first);
  expect(await harness.supervisor.resume(first.run)).toMatchObject({
    kind: 'over',
    outcome: { ending: 'abort', cause: 'user' },
  });
  expect((await ended(await harness.extend(first.run))).outcome.ending).toBe('success');
});

test('a continuation can be continued, and carries the spend of both', async () => {
  const harness = createHarness({ tools: [note], model: busy(5) });
  const first = await harness.play({ maxSteps: 2 });
  const second = await harness.extend(first.run, { limits: { maxSteps: 4 } });
  expect((await ended(second)).outcome).toMatchObject({ ending: 'cap_hit', limit: { used: 4, limit: 4 } });
  const third = await harness.extend(second.run, { limits: { maxSteps: 9 } });
  expect(await ended(third)).toMatchObject({
    outcome: { ending: 'success' },
    spend: { steps: 6, toolCalls: 5, inputTokens: 60 },
  });
  expect(await harness.log.run(third.run)).toMatchObject({ root: third.run, forkedFrom: { run: second.run } });
  const writers = new Set((await history(harness.log, third.run)).map(({ run }) => run));
  expect([...writers]).toEqual([first.run, second.run, third.run]);
});

test('what cannot be continued says why, and nothing is written', async () => {
  const harness = createHarness({ tools: [note, untilStopped('slow')], model: busy(5) });
  const capped = await harness.play({ maxSteps: 2 });
  const done = await createHarness({ log: harness.log, model: { answers: [{ text: 'done' }] } }).play();
  const open = await createHarness({
    log: harness.log,
    tools: [untilStopped('slow')],
    model: { answers: [{ calls: [{ tool: 'slow' }] }] },
  }).start();
  const loop = await createHarness({
    log: harness.log,
    model: { answers: [{ text: 'tried' }] },
    services: { verify: verdicts(false) },
  }).play({ checks: ['false'], maxIterations: 1 });
  const before = (await harness.log.runs()).length;
  const child = (await harness.log.runs()).find(({ root, run }) => root === loop.run && run !== root);
  const { extend } = harness.supervisor;
  const extending = extend.bind(harness.supervisor);
  expect(await extending(capped.run, {})).toEqual({ kind: 'not_raised', limit: { name: 'steps', used: 2, limit: 2 } });
  expect(await extending(capped.run, { limits: { maxSteps: 2, maxToolCalls: 500 } })).toMatchObject({
    kind: 'not_raised',
  });
  expect(await extending(done.run, { limits: { maxSteps: 100 } })).toEqual({ kind: 'succeeded' });
  expect(await extending(open.run, {})).toEqual({ kind: 'still_open' });
  expect(await extending(child?.run ?? '', {})).toEqual({ kind: 'is_child', root: loop.run });
  expect(await harness.log.runs()).toHaveLength(before);
  await open.abort();
  await ended(open);
});

test('a run that ended by an error is not resumed where a limit is used up: it has to be raised', async () => {
  const harness = createHarness({ services: { tools: () => throwing('a bug') as Actor<unknown> }, model: busy(3) });
  const { run, outcome } = await harness.play({ maxSteps: 1 });
  expect(outcome).toMatchObject({ ending: 'abort', cause: 'error' });
  const limit = { name: 'steps', used: 1, limit: 1 };
  expect(await harness.supervisor.resume(run)).toEqual({ kind: 'not_raised', limit });
});

test('a continuation that no process has owned yet is resumed like any run', async () => {
  const log = memoryLog();
  const harness = createHarness({ log, tools: [note], model: busy(3) });
  const { run } = await harness.play({ maxSteps: 2 });
  const stopping = await harness.extend(run, { limits: { maxSteps: 9 } });
  await stopping.pause('user');
  await stopping.done;
  expect((await ended(await harness.resume(stopping.run))).outcome.ending).toBe('success');
});
