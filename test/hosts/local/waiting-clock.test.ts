import { expect } from 'vitest';
import { fakeClock } from '../../support/fake-clock.ts';
import { testInTurn } from '../../support/in-turn.ts';
import { untilStopped } from '../../support/stand-ins.ts';
import { ask, factsOf, leftWaiting, office, resumed, untilWaiting } from './office.ts';

const DAY_MS = 86_400_000;
const task = { loop: 'iteration', maxIterations: 1, directory: process.cwd() } as const;
/** What else than time ends a loop without checks: its only iteration. */
const loops = [
  ['turn', {}, { ending: 'success' }],
  ['loop', task, { ending: 'cap_hit', limit: { name: 'iterations' } }],
] as const;
const attempt = { answers: [{ calls: [ask('Tabs?')] }, { calls: [ask('Sure?')] }, { text: 'done' }] };

testInTurn.each(loops)(
  'T9 days in which a %s waits for a person count for no limit',
  async (_loop, options, outcome) => {
    const clock = fakeClock();
    const harness = office({ attempts: [attempt] }, { clock });
    const live = await harness.start({ ...options, maxTime: '10m' });
    for (const [asked, text] of ['yes', 'sure'].entries()) {
      await untilWaiting(live);
      if ('loop' in options)
        await expect.poll(() => factsOf(harness.log, live.run, 'child.asked')).toHaveLength(asked + 1);
      clock.advance(3 * DAY_MS);
      expect(await harness.loops().answer(live.run, { text })).toMatchObject({ kind: 'received' });
    }
    expect(await live.done).toMatchObject({ kind: 'ended', outcome });
  },
);

testInTurn.each(loops)(
  'T9 days in which a waiting %s is unowned, and those after the answer, count for no limit',
  async (_loop, options, outcome) => {
    const clock = fakeClock();
    const harness = office({ attempts: [attempt] }, { clock });
    const run = await leftWaiting(harness, { ...options, maxTime: '10m' });
    clock.advance(3 * DAY_MS);
    expect(await harness.loops().answer(run, { text: 'yes' })).toMatchObject({ kind: 'received' });
    clock.advance(2 * DAY_MS);
    const live = await resumed(harness.loops(), run);
    await untilWaiting(live);
    if ('loop' in options) await expect.poll(() => factsOf(harness.log, run, 'child.asked')).toHaveLength(2);
    clock.advance(DAY_MS);
    expect(await harness.loops().answer(run, { text: 'sure' })).toMatchObject({ kind: 'received' });
    expect(await live.done).toMatchObject({ kind: 'ended', outcome });
  },
);

testInTurn('T9 an answer to a run that was paused beside other work leaves the whole pause out, once', async () => {
  const clock = fakeClock();
  const slow = untilStopped('slow', () => Promise.reject(new Error('cut')), { effectClass: 'repeatable' });
  const harness = office(
    { answers: [{ calls: [ask('Tabs?'), { tool: 'slow' }] }, { text: 'done' }] },
    { clock, tools: [slow] },
  );
  const live = await harness.start({ maxTime: '10m' });
  await expect.poll(() => factsOf(harness.log, live.run, 'calls.admitted')).toHaveLength(1);
  clock.advance(60_000);
  await live.pause('user');
  await live.done;
  clock.advance(DAY_MS);
  expect(await harness.loops().answer(live.run, { text: 'yes' })).toMatchObject({ kind: 'received' });
  clock.advance(DAY_MS);
  const again = await resumed(harness.loops(), live.run);
  const idle = (await factsOf(harness.log, live.run, 'run.resumed')).map(({ payload }) => payload.idleMs);
  expect(idle).toEqual([2 * DAY_MS]);
  await again.abort();
  await again.done;
});

testInTurn('T9 the deadline still strikes where others are at work beside the question', async () => {
  const clock = fakeClock();
  const slow = untilStopped('slow');
  const harness = office({ answers: [{ calls: [ask('Tabs?'), { tool: 'slow' }] }] }, { clock, tools: [slow] });
  const live = await harness.start({ maxTime: '10m' });
  await expect.poll(() => factsOf(harness.log, live.run, 'calls.admitted')).toHaveLength(1);
  clock.advance(600_000);
  expect(await live.done).toMatchObject({ outcome: { ending: 'cap_hit', limit: { name: 'time_ms' } } });
  expect(await harness.loops().questions(live.run)).toEqual([]);
});
