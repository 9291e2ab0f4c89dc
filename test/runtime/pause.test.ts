import { expect, test } from 'vitest';
import { memoryLog } from '../../src/log/sqlite/engine.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { unresponsive, silent } from '../support/misbehaving-actors.ts';
import { createHarness } from '../support/harness.ts';
import { ended, history } from '../support/run-history.ts';
import { heldTools, note, settled, tool, untilStopped, verdicts } from '../support/stand-ins.ts';

const asks = (...names: string[]) => ({
  answers: [{ calls: names.map((name) => ({ tool: name })) }, { text: 'done' }],
});

test('a paused run tells its effects, records once effects as interrupted, and starts nothing', async () => {
  const harness = createHarness({
    tools: [
      untilStopped('again'),
      untilStopped('only-once', () => Promise.reject(new Error('in the middle')), { effectClass: 'once' }),
    ],
    model: asks('again', 'only-once'),
  });
  const { run, observer, pause, done } = await harness.start();
  await Promise.all(['again', 'only-once'].map((name) => observer.untilDelta(({ text }) => text === name)));
  await pause('signal');
  expect(await done).toEqual({ kind: 'paused' });
  const facts = await history(harness.log, run);
  expect(facts.at(-1)).toMatchObject({ type: 'run.paused', payload: { by: 'signal' } });
  expect(facts.filter(({ type }) => type === 'tool.interrupted').map(({ payload }) => payload)).toEqual([
    { callId: '0.1', reason: expect.stringContaining('in the middle') },
  ]);
  expect(await harness.log.run(run)).toMatchObject({ closed: null });
  expect(await harness.log.holder(run)).toBeNull();
});

test.each(['once', 'repeatable'] as const)('a silent %s effect that is paused is recorded if lost', async (of) => {
  const harness = createHarness({ services: { tools: () => silent(of) }, model: asks('quiet') });
  const { run, observer, pause, done } = await harness.start();
  await observer.untilDelta(({ text }) => text === 'running');
  await pause('user');
  await done;
  const facts = await history(harness.log, run);
  expect(facts.filter(({ type }) => type === 'tool.interrupted')).toHaveLength(of === 'once' ? 1 : 0);
});

test('a resumed run starts repeatable effects again, and once effects never', async () => {
  const log = memoryLog();
  const started: string[] = [];
  const first = createHarness({
    log,
    tools: [
      untilStopped('again', () => Promise.reject(new Error('cut'))),
      untilStopped('only-once', undefined, { effectClass: 'once' }),
    ],
    model: asks('again', 'only-once'),
  });
  const { run, observer, pause, done } = await first.start();
  await Promise.all(['again', 'only-once'].map((name) => observer.untilDelta(({ text }) => text === name)));
  await pause('user');
  await done;
  const record = (name: string, effectClass: 'repeatable' | 'once') =>
    tool(name, async () => (started.push(name), { output: `${name} done` }), { effectClass });
  const second = createHarness({
    log,
    tools: [record('again', 'repeatable'), record('only-once', 'once')],
    model: asks('again', 'only-once'),
  });
  const { outcome } = await ended(await second.resume(run));
  expect(outcome.ending).toBe('success');
  expect(started).toEqual(['again']);
  const facts = await history(log, run);
  expect(facts.filter(({ type }) => type === 'run.resumed')).toHaveLength(1);
});

test('a model that is paused is asked the same step again, and what the first try cost is kept', async () => {
  const log = memoryLog();
  const first = createHarness({
    log,
    model: {
      name: 'trailing off',
      answer: async (_request, { signal, delta }) => {
        delta('so far');
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        return { text: 'cut', usage: { inputTokens: 5, outputTokens: 1 } };
      },
    },
  });
  const { run, observer, pause, done } = await first.start();
  await observer.untilDelta(({ text }) => text === 'so far');
  await pause('user');
  await done;
  const asked: number[] = [];
  const second = createHarness({
    log,
    model: ({ step }) => (asked.push(step), { text: 'done', usage: { inputTokens: 5, outputTokens: 2 } }),
  });
  const { spend } = await ended(await second.resume(run));
  expect(asked).toEqual([0]);
  expect(spend).toMatchObject({ steps: 1, inputTokens: 10, outputTokens: 3 });
});

test('L17 wall time leaves out the pause: the deadline comes when the rest of the time is used up', async () => {
  const clock = fakeClock();
  const harness = createHarness({
    clock,
    tools: [untilStopped('slow', () => Promise.reject(new Error('cut')))],
    model: asks('slow'),
  });
  const first = await harness.start({ maxTime: '1m' });
  await first.observer.untilDelta(({ text }) => text === 'slow');
  clock.advance(30_000);
  await first.pause('user');
  await first.done;
  clock.advance(3_600_000);
  const second = await harness.resume(first.run);
  expect(second.observer.of('run.resumed').map(({ payload }) => payload.idleMs)).toEqual([3_600_000]);
  await second.observer.untilDelta(({ text }) => text === 'slow');
  clock.advance(29_999);
  await settled();
  expect(second.observer.of('timer.fired')).toEqual([]);
  clock.advance(1);
  expect((await ended(second)).outcome).toEqual({
    ending: 'cap_hit',
    limit: { name: 'time_ms', used: 60_000, limit: 60_000 },
  });
});

test('L17 the deadline strikes in the middle of an iteration, and reaches the child as cause parent', async () => {
  const clock = fakeClock();
  const harness = createHarness({
    clock,
    tools: [untilStopped('slow')],
    model: asks('slow'),
    services: { verify: verdicts(true) },
  });
  const live = await harness.start({ loop: 'iteration', checks: ['true'], maxTime: '1m' });
  const { run: child } = await live.observer.untilDelta(({ text }) => text === 'slow');
  clock.advance(60_000);
  const { outcome } = await ended(live);
  expect(outcome).toEqual({ ending: 'cap_hit', limit: { name: 'time_ms', used: 60_000, limit: 60_000 } });
  const own = await history(harness.log, child);
  expect(own.find((fact) => fact.type === 'abort.requested')?.payload.cause).toBe('parent');
  expect(own.some(({ type }) => type === 'tool.completed')).toBe(true);
  expect(live.observer.of('child.settled').map(({ payload }) => payload)).toMatchObject([
    { child, outcome: { ending: 'abort', cause: 'parent' } },
  ]);
});

test.each([
  { loop: 'iteration', checks: ['true'], maxIterations: 1 },
  { loop: 'turn', maxSteps: 1 },
] as const)(
  'L17 T12 the deadline is what ends the last round of a $loop, not the number of rounds',
  async ({ ...asked }) => {
    const clock = fakeClock();
    const harness = createHarness({
      clock,
      tools: [untilStopped('slow')],
      model: asks('slow'),
      services: { verify: verdicts(true) },
    });
    const live = await harness.start({ ...asked, checks: 'checks' in asked ? [...asked.checks] : [], maxTime: '1m' });
    await live.observer.untilDelta(({ text }) => text === 'slow');
    clock.advance(60_000);
    expect((await ended(live)).outcome).toEqual({
      ending: 'cap_hit',
      limit: { name: 'time_ms', used: 60_000, limit: 60_000 },
    });
    const [decision] = live.observer.of('decision.made').slice(-1);
    expect(decision?.payload.reason).toMatch(/^time limit reached \(1m\)/);
  },
);

test('L17 a deadline does not pass while no process works on the run', async () => {
  const clock = fakeClock();
  const harness = createHarness({
    clock,
    model: { answers: [{ text: 'never' }] },
    services: { model: () => unresponsive('repeatable') },
  });
  const first = await harness.start({ maxTime: '1m', graceMs: 1_000 });
  await first.pause('user').catch(() => {});
  await first.done;
  clock.advance(120_000);
  const second = await harness.resume(first.run);
  await settled();
  expect(second.observer.of('timer.fired')).toEqual([]);
  clock.advance(60_000);
  await second.observer.until('timer.fired');
  clock.advance(1_000);
  expect((await ended(second)).outcome.ending).toBe('cap_hit');
});

test('a paused loop of attempts pauses its child, and both go on where they were', async () => {
  const log = memoryLog();
  const first = createHarness({
    log,
    tools: [note, untilStopped('slow', () => Promise.reject(new Error('cut')))],
    model: asks('note', 'slow'),
  });
  const { run, observer, pause, done } = await first.start({ loop: 'iteration', checks: ['true'] });
  const { run: child } = await observer.untilDelta(({ text }) => text === 'slow');
  await pause('user');
  expect(await done).toEqual({ kind: 'paused' });
  expect((await history(log, child)).at(-1)?.type).toBe('run.paused');
  const second = createHarness({
    log,
    tools: [note, tool('slow', async () => ({ output: 'done' }))],
    model: asks('note', 'slow'),
  });
  const { outcome } = await ended(await second.resume(run));
  expect(outcome.ending).toBe('success');
  const own = await history(log, child);
  expect(own.filter(({ type }) => type === 'tool.completed')).toHaveLength(2);
  expect((await log.runs()).map((record) => record.run)).toEqual([run, child]);
});

test('R4 a pause says when an effect has outlived the grace', async () => {
  const harness = createHarness({ model: asks('note'), services: { model: () => unresponsive() } });
  const { run, pause, done } = await harness.start({ graceMs: 1 });
  await pause('user');
  await done;
  expect((await history(harness.log, run)).at(-1)?.payload).toEqual({ by: 'user', unfinished: true });
});

test('R4 the pause of a loop waits for what its attempt could not stop in its shorter grace', async () => {
  // Given an attempt without a grace, with a tool that does not stop until it is let go
  const { tools, free } = heldTools();
  const harness = createHarness({
    services: { tools },
    model: asks('finish'),
  });
  const { run, observer, pause, done } = await harness.start({ loop: 'iteration', checks: ['true'], graceMs: 0 });
  await observer.untilDelta(({ text }) => text === 'at work');
  // When the loop is paused
  const pausing = pause('user');
  const first = await observer.until('run.paused');
  await settled();
  // Then the attempt is left, and the loop is not before the tool has ended
  expect(first).toMatchObject({ payload: { unfinished: true } });
  expect(first.run).not.toBe(run);
  expect((await history(harness.log, run)).at(-1)?.type).not.toBe('run.paused');
  free();
  await pausing;
  await done;
  expect((await history(harness.log, run)).at(-1)?.payload).toEqual({ by: 'user' });
});

test('a run that is paused twice at once is paused once', async () => {
  const harness = createHarness({
    tools: [untilStopped('slow', () => Promise.reject(new Error('cut')))],
    model: asks('slow'),
  });
  const { run, observer, pause, done } = await harness.start();
  await observer.untilDelta(({ text }) => text === 'slow');
  await Promise.all([pause('signal'), pause('signal')]);
  await done;
  expect((await history(harness.log, run)).filter(({ type }) => type === 'run.paused')).toHaveLength(1);
});
