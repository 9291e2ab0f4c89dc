import { describe, expect, test } from 'vitest';
import type { ScriptedAnswer } from '../../src/actors/model/script.ts';
import { rebuild } from '../../src/runtime/load-run.ts';
import { dyingAt } from '../support/dying-log.ts';
import { byTask, comeBack, delegateCall, delegating, firstly, settledIn } from '../support/delegation.ts';
import { fc } from '../support/fast-check.ts';
import { createHarness } from '../support/harness.ts';
import type { Seen } from '../support/observers.ts';
import { ended, history } from '../support/run-history.ts';
import { note, settled, stopped, tool, untilStopped } from '../support/stand-ins.ts';

const asking = (count: number, name = 'work'): { answers: ScriptedAnswer[] } => ({
  answers: [
    { calls: Array.from({ length: count }, (_, number) => ({ tool: name, arguments: { number } })) },
    { text: 'done' },
  ],
});

const aTurn = () => new Promise(setImmediate);

/**
 * A tool that counts how many of its calls run at once. Each waits until as many run as may, and then for some turns of
 * the event loop.
 */
function counted(count: number, limit: number, turnsOf: (number: number) => number = () => 5) {
  const started: number[] = [];
  let [running, peak, finished] = [0, 0, 0];
  const work = tool(
    'work',
    async ({ number }) => {
      started.push(Number(number));
      peak = Math.max(peak, ++running);
      while (running < Math.min(limit, count - finished)) await aTurn();
      for (let turn = 0; turn < turnsOf(Number(number)); turn += 1) await aTurn();
      running -= 1;
      finished += 1;
      return { output: `${number} done` };
    },
    { effectClass: 'once' },
  );
  return { work, started, peak: () => peak };
}

const upTo = (count: number, from = 0): number[] => Array.from({ length: count - from }, (_, index) => from + index);

describe('G6 calls of one answer queue', () => {
  test('G6 of 30 calls at most 8 run at once, and they start in their order', async () => {
    const { work, started, peak } = counted(30, 8, (number) => (number * 7) % 5);
    const { outcome, facts } = await createHarness({ tools: [work], model: asking(30) }).play();
    expect(outcome).toMatchObject({ ending: 'success' });
    expect(peak()).toBe(8);
    expect(started).toEqual(upTo(30));
    expect(facts.filter(({ type }) => type === 'tool.completed')).toHaveLength(30);
  });

  test('G6 for any number of calls and any limit, as many run as may, in their order', () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 14 }),
        fc.infiniteStream(fc.nat({ max: 4 })),
        async (count, maxParallel, waits) => {
          const turns = [...waits.take(count)];
          const { work, started, peak } = counted(count, maxParallel, (number) => turns[number] ?? 0);
          const { outcome } = await createHarness({ tools: [work], model: asking(count) }).play({ maxParallel });
          expect(outcome).toMatchObject({ ending: 'success' });
          expect(peak()).toBe(Math.min(count, maxParallel));
          expect(started).toEqual(upTo(count));
        },
      ),
      { numRuns: 15 },
    ));

  test('G6 of 10 delegated tasks as many run at once as the limit says', async () => {
    const { work, peak } = counted(10, 3);
    const tasks = upTo(10).map((number) => `part ${number}`);
    const model = byTask({
      'Do it.': firstly({ calls: tasks.map((task) => delegateCall(task)) }),
      ...Object.fromEntries(tasks.map((task) => [task, firstly({ calls: [{ tool: 'work', arguments: {} }] })])),
    });
    const tools = ['delegate', 'work', 'finish'];
    const { facts } = await createHarness({ tools: [work], model }).play({ ...delegating, tools, maxParallel: 3 });
    expect(settledIn(facts)).toHaveLength(10);
    expect(peak()).toBe(3);
  });

  test('G6 a delegated task that waits for a person gives its place to the next call', async () => {
    const model = byTask({
      'Do it.': firstly({ calls: [delegateCall('asks'), { tool: 'note' }] }),
      asks: firstly({ calls: [{ tool: 'ask_user', arguments: { question: 'Which?' } }] }),
    });
    const harness = createHarness({ tools: [note], model });
    const live = await harness.start({ ...delegating, maxParallel: 1 });
    await live.observer.until('child.asked');
    await live.observer.until('tool.completed');
    await live.abort();
    expect((await ended(live)).outcome).toMatchObject({ ending: 'abort' });
  });

  test('G6 a question to a person does not queue', async () => {
    const slow = tool('slow', async (_input, context) => {
      context.delta('slow');
      await stopped(context);
      return { output: '' };
    });
    const calls = [{ tool: 'slow' }, { tool: 'slow' }, { tool: 'ask_user', arguments: { question: 'Which?' } }];
    const harness = createHarness({ tools: [slow], model: { answers: [{ calls }] } });
    const live = await harness.start({ ...delegating, maxParallel: 1 });
    await live.observer.untilDelta(({ text }) => text === 'slow');
    await live.abort();
    await ended(live);
    const reasons = interruptions(await history(harness.log, live.run));
    expect(reasons['0.1']).toContain('it never started');
    expect(reasons['0.2']).not.toContain('it never started');
  });
});

const interruptions = (facts: readonly Seen[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    facts.flatMap((fact) => (fact.type === 'tool.interrupted' ? [[fact.payload.callId, fact.payload.reason]] : [])),
  );

/** Calls that must not be repeated, and that work until they are told to stop. */
function atWork() {
  const started: number[] = [];
  const work = tool(
    'work',
    async ({ number }, context) => {
      started.push(Number(number));
      context.delta(`at work ${number}`);
      await stopped(context);
      throw new Error('half done');
    },
    { effectClass: 'once' },
  );
  return { work, started };
}

/** The same calls, where each is done at once. */
function atOnce() {
  const started: number[] = [];
  const work = tool('work', async ({ number }) => (started.push(Number(number)), { output: `${number} done` }), {
    effectClass: 'once',
  });
  return { work, started };
}

describe('G6 calls that are queued when a run stops', () => {
  test('G6 an abort ends them, none ever starts, and each says so', async () => {
    const { work, started } = atWork();
    const harness = createHarness({ tools: [work], model: asking(5) });
    const live = await harness.start({ maxParallel: 2 });
    await live.observer.untilDelta(({ text }) => text === 'at work 1');
    await live.abort();
    const { outcome } = await ended(live);
    await settled();
    expect(outcome).toMatchObject({ ending: 'abort' });
    expect(started).toEqual([0, 1]);
    const reasons = interruptions(await history(harness.log, live.run));
    expect(Object.keys(reasons).toSorted()).toEqual(['0.0', '0.1', '0.2', '0.3', '0.4']);
    for (const [callId, reason] of Object.entries(reasons))
      expect(reason).toContain(['0.0', '0.1'].includes(callId) ? 'half done' : 'it never started');
  });

  test('G6 an abort opens no run for delegated tasks, and charges nothing for them', async () => {
    const { work } = atWork();
    const model = byTask({
      'Do it.': firstly({ calls: ['one', 'two', 'three'].map((task) => delegateCall(task)) }),
      one: firstly({ calls: [{ tool: 'work', arguments: { number: 0 } }] }),
    });
    const harness = createHarness({ tools: [work], model });
    const tools = ['delegate', 'work', 'finish'];
    const live = await harness.start({ ...delegating, tools, maxParallel: 1, maxTokens: 9_000 });
    await live.observer.untilDelta(({ text }) => text === 'at work 0');
    await live.abort();
    const { spend } = await ended(live);
    expect(await harness.log.runs()).toHaveLength(2);
    const failed = (await history(harness.log, live.run)).filter(({ type }) => type === 'tool.failed');
    expect(failed.map(({ payload }) => payload)).toEqual(
      ['0.1', '0.2'].map((callId) => ({ callId, fault: expect.objectContaining({ code: 'not_started' }) })),
    );
    expect(spend.inputTokens).toBe(200);
  });

  test('G6 after a pause exactly they start, in their order and under the same limit', async () => {
    const first = atWork();
    const harness = createHarness({ tools: [first.work], model: asking(6) });
    const live = await harness.start({ maxParallel: 2 });
    await live.observer.untilDelta(({ text }) => text === 'at work 1');
    await live.pause('user');
    await live.done;
    const { work, started, peak } = counted(4, 2);
    const again = createHarness({ log: harness.log, tools: [work], model: asking(6) });
    expect((await ended(await again.resume(live.run))).outcome).toMatchObject({ ending: 'success' });
    expect([first.started, started, peak()]).toEqual([[0, 1], [2, 3, 4, 5], 2]);
    const facts = await history(harness.log, live.run);
    expect(Object.keys(interruptions(facts))).toEqual(['0.0', '0.1']);
  });

  test('G6 after two pauses none of them counts as started before it has', async () => {
    const first = atWork();
    const harness = createHarness({ tools: [first.work], model: asking(4) });
    const live = await harness.start({ maxParallel: 1 });
    await live.observer.untilDelta(({ text }) => text === 'at work 0');
    await live.pause('user');
    await live.done;
    const second = atWork();
    const inBetween = createHarness({ log: harness.log, tools: [second.work], model: asking(4) });
    const resumed = await inBetween.resume(live.run);
    await resumed.observer.untilDelta(({ text }) => text === 'at work 1');
    await resumed.pause('user');
    await resumed.done;
    const last = atOnce();
    const again = createHarness({ log: harness.log, tools: [last.work], model: asking(4) });
    expect((await ended(await again.resume(live.run))).outcome).toMatchObject({ ending: 'success' });
    expect([first.started, second.started, last.started]).toEqual([[0], [1], [2, 3]]);
  });

  test('G6 a pause tells those that have begun, and begin again, from those that have not', async () => {
    const again = { tools: [untilStopped('work', () => Promise.reject(new Error('cut')))], model: asking(3) };
    const harness = createHarness(again);
    const live = await harness.start({ maxParallel: 1 });
    await live.observer.untilDelta(({ text }) => text === 'work');
    await live.pause('user');
    await live.done;
    const resumed = await createHarness({ ...again, log: harness.log }).resume(live.run);
    await resumed.observer.untilDelta(({ text }) => text === 'work');
    await resumed.pause('user');
    await resumed.done;
    const rebuilt = await rebuild(harness.log, live.run);
    const calls = rebuilt.kind === 'loaded' ? rebuilt.state.outstanding.filter(({ actor }) => actor === 'runTool') : [];
    expect(calls.map(({ key, attempt, queued = false }) => [key, attempt, queued])).toEqual([
      ['call.0.0', 2, false],
      ['call.0.1', 1, true],
      ['call.0.2', 1, true],
    ]);
  });

  test('G6 after a crash those that cannot have started do, and no other', async () => {
    const { clock, log, dying } = dyingAt('tool.completed');
    const begun: number[] = [];
    const work = tool(
      'work',
      async ({ number }, context) => {
        begun.push(Number(number));
        if (number !== 0) await stopped(context);
        return { output: 'done' };
      },
      { effectClass: 'once' },
    );
    const first = await createHarness({ log: dying, tools: [work], model: asking(6), clock }).start({ maxParallel: 2 });
    await expect.poll(async () => (await history(log, first.run)).at(-1)?.type).toBe('tool.completed');
    clock.advance(60_000);
    const { work: later, started } = atOnce();
    const again = createHarness({ log, tools: [later], model: asking(6), clock });
    expect((await ended(await again.resume(first.run))).outcome).toMatchObject({ ending: 'success' });
    expect(begun).toEqual([0, 1]);
    // The result of call 0 is recorded, so there was room for call 2, and it may have started: it is not repeated.
    expect(started).toEqual([3, 4, 5]);
    expect(Object.keys(interruptions(await history(log, first.run)))).toEqual(['0.1', '0.2']);
  });

  test('G6 a run that died while it was aborting says of them that they never started', async () => {
    const { clock, log, dying } = dyingAt('abort.requested');
    const { work, started } = atWork();
    const first = await createHarness({ log: dying, tools: [work], model: asking(3), clock }).start({ maxParallel: 1 });
    await first.observer.untilDelta(({ text }) => text === 'at work 0');
    void first.abort();
    await expect.poll(async () => (await history(log, first.run)).at(-1)?.type).toBe('abort.requested');
    clock.advance(600_000);
    const again = createHarness({ log, tools: [work], model: asking(3), clock });
    expect((await ended(await again.resume(first.run))).outcome).toMatchObject({ ending: 'abort' });
    const reasons = interruptions(await history(log, first.run));
    expect(started).toEqual([0]);
    expect(reasons).toMatchObject({
      '0.0': expect.not.stringContaining('never started'),
      '0.1': expect.stringContaining('never started'),
      '0.2': expect.stringContaining('never started'),
    });
  });

  test('G6 the next answer is not asked for before all calls have a result', async () => {
    const { work } = counted(9, 2, (number) => 12 - number);
    const seen: number[] = [];
    const model = ({
      messages,
      step,
    }: {
      readonly messages: Parameters<typeof comeBack>[0]['messages'];
      step: number;
    }) => {
      if (step > 0) seen.push(comeBack({ messages }).length);
      return asking(9).answers[step] ?? { text: 'done' };
    };
    await createHarness({ tools: [work], model }).play({ maxParallel: 2 });
    expect(seen).toEqual([9]);
  });
});
