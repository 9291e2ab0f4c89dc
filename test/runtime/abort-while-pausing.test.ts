import { expect, test } from 'vitest';
import { memoryLog } from '../../src/log/sqlite/engine.ts';
import { around } from '../support/around.ts';
import { createHarness } from '../support/harness.ts';
import { ended, history } from '../support/run-history.ts';
import { stopped, tool, untilStopped } from '../support/stand-ins.ts';

const asks = { answers: [{ calls: [{ tool: 'quick' }, { tool: 'slow' }] }, { text: 'done' }] };

/** One tool that stops at once and says nothing, and one that takes its time, so that the pause is under way. */
function stopping() {
  const told = Promise.withResolvers<void>();
  const free = Promise.withResolvers<void>();
  const slow = tool('slow', async (_input, context) => {
    context.delta('slow');
    await stopped(context);
    told.resolve();
    await free.promise;
    return { output: 'stopped, at last' };
  });
  return {
    tools: [untilStopped('quick', () => Promise.reject(new Error('cut'))), slow],
    told: told.promise,
    free: () => free.resolve(),
  };
}

test.each(['turn', 'iteration'] as const)(
  'a %s that is aborted while it is being paused ends: the abort wins',
  async (loop) => {
    const { tools, told, free } = stopping();
    const harness = createHarness({ tools, model: asks });
    const live = await harness.start(loop === 'turn' ? {} : { loop, checks: ['true'] });
    await Promise.all(['quick', 'slow'].map((name) => live.observer.untilDelta(({ text }) => text === name)));
    const pausing = live.pause('user');
    await told;
    await live.abort('no more');
    free();
    await pausing;
    expect((await ended(live)).outcome).toMatchObject({ ending: 'abort', cause: 'user' });
    for (const { run, closed } of await harness.log.runs()) expect({ run, closed }).toEqual({ run, closed: 'abort' });
    const facts = await history(harness.log, live.run);
    expect(facts.filter(({ type }) => type === 'run.paused')).toEqual([]);
    expect(live.observer.of('tool.completed')).toHaveLength(1);
    expect(live.observer.of('tool.interrupted')).toHaveLength(1);
  },
);

test('a call that was queued when an abort has won over a pause is recorded as one that never started', async () => {
  const { tools, told, free } = stopping();
  const queuing = { answers: [{ calls: [{ tool: 'slow' }, { tool: 'quick' }] }, { text: 'done' }] };
  const harness = createHarness({ tools, model: queuing });
  const live = await harness.start({ maxParallel: 1 });
  await live.observer.untilDelta(({ text }) => text === 'slow');
  const pausing = live.pause('user');
  await told;
  await live.abort('no more');
  free();
  await pausing;
  expect((await ended(live)).outcome).toMatchObject({ ending: 'abort', cause: 'user' });
  expect(live.observer.of('tool.interrupted').map(({ payload }) => payload)).toEqual([
    { callId: '0.1', reason: expect.stringContaining('it never started') },
  ]);
});

test('a pause requested by another process is refused with the reason', async () => {
  const { tools, told, free } = stopping();
  const harness = createHarness({ tools, model: asks });
  const live = await harness.start();
  await live.observer.untilDelta(({ text }) => text === 'slow');
  const pausing = harness.supervisor.send(live.run, { type: 'run.paused', payload: { by: 'user' } });
  await told;
  const aborting = harness.supervisor.abort(live.run, 'no more');
  await live.observer.until('abort.requested');
  free();
  expect(await aborting).toMatchObject({ kind: 'delivered' });
  expect(await pausing).toEqual({ kind: 'rejected', reason: 'it was aborted, and is about to end' });
  expect((await ended(live)).outcome.ending).toBe('abort');
});

test('an abort that comes when the run has been paused ends it all the same', async () => {
  const harness = createHarness({ tools: [untilStopped('quick'), untilStopped('slow')], model: asks });
  const live = await harness.start();
  await live.observer.untilDelta(({ text }) => text === 'slow');
  await live.pause('user');
  await live.done;
  await live.abort('no more');
  expect(await harness.log.run(live.run)).toMatchObject({ closed: 'abort' });
});

test('an abort that comes when the run has ended sends no command', async () => {
  const inner = memoryLog();
  const posted: string[] = [];
  const log = around(inner, 'post', async (run, command) => (posted.push(command.type), inner.post(run, command)));
  const live = await createHarness({ log, model: { answers: [{ text: 'done' }] } }).start();
  expect((await ended(live)).outcome.ending).toBe('success');
  await live.abort('no more');
  expect(posted).toEqual([]);
});
