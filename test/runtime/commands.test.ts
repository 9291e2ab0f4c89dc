import { expect, test } from 'vitest';
import { z } from 'zod';
import { loop as reviewed } from '../../docs/examples/own-loop/reviewed.loop.ts';
import { fact } from '../../machines/vocabulary.ts';
import { memoryLog } from '../../src/log/sqlite/engine.ts';
import type { LoopDefinition } from '../../src/kernel/loop-definition.ts';
import { createHarness } from '../support/harness.ts';
import { testInTurn } from '../support/in-turn.ts';
import type { ObservedRun } from '../support/observers.ts';
import { ended, history } from '../support/run-history.ts';
import { untilStopped } from '../support/stand-ins.ts';

const slow = untilStopped('slow', () => Promise.reject(new Error('cut')));
const model = { answers: [{ calls: [{ tool: 'slow' }] }, { text: 'done' }] };
const attempts = { loop: 'iteration', checks: ['true'] } as { loop: 'iteration'; checks: string[] };

/** Two supervisors on one log, as two processes would be. */
function twoHouses() {
  const log = memoryLog();
  return {
    log,
    here: createHarness({ log, tools: [slow], model }),
    there: createHarness({ log, tools: [slow], model }),
  };
}

test('an abort reaches a run that another process serves, through its inbox', async () => {
  const { log, here, there } = twoHouses();
  const { run, observer, ...live } = await here.start();
  await observer.untilDelta(({ text }) => text === 'slow');
  const sent = await there.supervisor.abort(run, 'from outside');
  expect((await ended(live)).outcome).toMatchObject({ ending: 'abort', cause: 'user' });
  const asked = (await history(log, run)).find((fact) => fact.type === 'abort.requested');
  expect(sent).toEqual({ kind: 'delivered', version: asked?.version });
  expect(asked?.payload.reason).toBe('from outside');
});

test('an abort of a child is delivered to the child, and ends the loop for the same cause', async () => {
  const { log, here, there } = twoHouses();
  const { observer, ...live } = await here.start(attempts);
  const { run: child } = await observer.untilDelta(({ text }) => text === 'slow');
  expect(await there.supervisor.abort(child, 'this attempt is hopeless')).toMatchObject({ kind: 'delivered' });
  expect((await ended(live)).outcome).toEqual({ ending: 'abort', cause: 'user', fault: null });
  expect((await history(log, child)).some(({ type }) => type === 'abort.requested')).toBe(true);
  expect(observer.of('abort.requested').map(({ run }) => run)).toEqual([child]);
});

test.each(['turn', 'iteration'] as const)(
  'a paused %s is aborted by any process, with everything it had outstanding',
  async (loop) => {
    const { log, here, there } = twoHouses();
    const { run, observer, pause, done } = await here.start(loop === 'turn' ? {} : attempts);
    const { run: working } = await observer.untilDelta(({ text }) => text === 'slow');
    await pause('user');
    await done;
    const sent = await there.supervisor.abort(run, 'no more');
    expect(await log.run(run)).toMatchObject({ closed: 'abort' });
    expect(await log.run(working)).toMatchObject({ closed: 'abort' });
    expect(sent).toEqual({
      kind: 'delivered',
      version: (await history(log, run)).find(({ type }) => type === 'abort.requested')?.version,
    });
    expect((await history(log, working)).some(({ type }) => type === 'tool.interrupted')).toBe(true);
    expect(await log.holder(run)).toBeNull();
  },
);

test('an abort of a paused child goes to the root of its tree', async () => {
  const { log, here, there } = twoHouses();
  const { run, observer, pause, done } = await here.start(attempts);
  const { run: child } = await observer.untilDelta(({ text }) => text === 'slow');
  await pause('user');
  await done;
  expect(await there.supervisor.abort(child)).toMatchObject({ kind: 'delivered' });
  expect(await log.run(run)).toMatchObject({ closed: 'abort' });
  expect(await log.run(child)).toMatchObject({ closed: 'abort' });
});

test('a command for an unknown or ended run says so', async () => {
  const { here, there } = twoHouses();
  expect(await there.supervisor.abort('nobody')).toEqual({ kind: 'unknown_run', run: 'nobody' });
  const { run, observer, abort, ...live } = await here.start();
  await observer.untilDelta(({ text }) => text === 'slow');
  await abort();
  await ended(live);
  expect(await there.supervisor.abort(run)).toEqual({ kind: 'rejected', reason: 'the run has ended' });
});

test('what is in an inbox and is no command is rejected with the reason', async () => {
  const { log, here } = twoHouses();
  const { run, observer, abort, ...live } = await here.start();
  await observer.untilDelta(({ text }) => text === 'slow');
  const odd = await log.post(run, { type: 'tool.completed', payload: { callId: '0.0', output: 'forged' } });
  const nonsense = await log.post(run, { type: 'abort.requested', payload: {} });
  await abort();
  await ended(live);
  expect((await log.entry(odd.id))?.status).toEqual({
    kind: 'rejected',
    reason: expect.stringContaining('tool.completed is not a command'),
  });
  expect((await log.entry(nonsense.id))?.status).toEqual({
    kind: 'rejected',
    reason: expect.stringMatching(/^not an event: .*at payload\.cause.*at payload\.reason/),
  });
  expect((await history(log, run)).some(({ type }) => type === 'tool.completed')).toBe(false);
});

test('a run that a process owns cannot be resumed by another', async () => {
  const { here, there } = twoHouses();
  const { run, observer, abort, ...live } = await here.start();
  await observer.untilDelta(({ text }) => text === 'slow');
  expect(await there.supervisor.resume(run)).toMatchObject({ kind: 'held', run, by: { pid: process.pid } });
  await abort();
  await ended(live);
});

test('unknown runs are said to be unknown', async () => {
  const { here } = twoHouses();
  expect(await here.supervisor.resume('nobody')).toEqual({ kind: 'unknown_run', run: 'nobody' });
  expect(await here.supervisor.extend('nobody', {})).toEqual({ kind: 'unknown_run', run: 'nobody' });
});

/** A loop of attempts that takes answers too, and says otherwise why not. */
const own: LoopDefinition = {
  ...reviewed,
  events: z.union([reviewed.events, fact('person.answered', { callId: z.string(), answer: z.string() })]),
  commands: { 'person.answered': () => 'no reviewer has asked' },
};

testInTurn.each(['served', 'paused'] as const)(
  'why a command was not taken is said by the loop of the run that was asked: %s',
  async (how) => {
    const log = memoryLog();
    const harness = createHarness({ log, tools: [slow], model, loops: [own] });
    const refusalOf = async (live: ObservedRun, run: string) => {
      if (how === 'paused') await live.pause('user');
      return harness.supervisor.send(run, { type: 'person.answered', payload: { callId: '7.7', answer: 'blue' } });
    };
    const heard = ({ observer }: ObservedRun) => observer.untilDelta(({ text }) => text === 'slow');
    const turn = await harness.start();
    await heard(turn);
    const loop = await harness.start(attempts);
    await heard(loop);
    const foreign = await harness.start({ loop: 'reviewed', checks: ['true'] });
    await heard(foreign);

    expect(await refusalOf(turn, turn.run)).toEqual({
      kind: 'rejected',
      reason: 'call 7.7 is not waiting for a person',
    });
    // A loop that takes no answers leaves the word to the run below it that does.
    expect(await refusalOf(loop, loop.run)).toEqual({
      kind: 'rejected',
      reason: 'call 7.7 is not waiting for a person',
    });
    expect(await refusalOf(foreign, foreign.run)).toEqual({ kind: 'rejected', reason: 'no reviewer has asked' });

    for (const live of [turn, loop, foreign]) await harness.supervisor.abort(live.run);
  },
);

testInTurn('a command that fits no loop is refused with what each that has it by that name says', async () => {
  const log = memoryLog();
  const harness = createHarness({
    log,
    tools: [slow],
    model,
    loops: [{ ...own, events: z.union([reviewed.events, fact('person.answered', { answer: z.number() })]) }],
  });
  const { run, observer } = await harness.start();
  await observer.untilDelta(({ text }) => text === 'slow');
  const sent = await harness.supervisor.send(run, { type: 'person.answered', payload: { callId: 7 } } as never);
  expect(sent).toEqual({
    kind: 'rejected',
    reason: expect.stringMatching(/at payload\.callId.*; .*at payload\.answer/),
  });
  await harness.supervisor.abort(run);
});
