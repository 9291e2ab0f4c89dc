import { expect, test, vi } from 'vitest';
import { type Model, ModelError } from '../../src/actors/model/model.ts';
import { memoryLog } from '../../src/log/sqlite/engine.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { unresponsive, answersAfterAbort } from '../support/misbehaving-actors.ts';
import { createHarness } from '../support/harness.ts';
import { ended, history } from '../support/run-history.ts';
import { note, settled, stopped, tool, untilStopped } from '../support/stand-ins.ts';

/** Says something, and then nothing more until it is told to stop. */
const trailingOff: Model = {
  name: 'trailing-off',
  answer: async (_request, call) => {
    call.delta('I was just about to');
    await stopped(call);
    throw new ModelError('stopped', 'stopped', { inputTokens: 7, outputTokens: 5 });
  },
};

test('T11 an abort in the middle of an answer keeps the text so far and what it cost', async () => {
  const { start } = createHarness({ model: trailingOff });
  const { observer, abort, ...live } = await start();
  await observer.untilDelta(({ text }) => text.includes('about to'));
  await abort('changed my mind');
  const { outcome, spend } = await ended(live);
  expect(outcome).toEqual({ ending: 'abort', cause: 'user', fault: null });
  expect(observer.of('model.interrupted').map(({ payload }) => payload)).toEqual([
    { reason: 'abort', text: 'I was just about to', usage: { inputTokens: 7, outputTokens: 5 } },
  ]);
  expect(spend).toMatchObject({ inputTokens: 7, outputTokens: 5 });
  expect(observer.of('decision.made').at(-1)?.payload.reason).toBe('changed my mind');
});

test('T11 an abort in the middle of calls tells those that run, and keeps the results there are', async () => {
  const long = untilStopped('long', () => Promise.reject(new Error('half done')));
  const { start } = createHarness({
    tools: [note, long],
    model: { answers: [{ calls: [{ tool: 'note' }, { tool: 'long' }] }] },
  });
  const { observer, abort, ...live } = await start();
  await Promise.all([observer.until('tool.completed'), observer.untilDelta(({ text }) => text === 'long')]);
  await abort();
  const { outcome } = await ended(live);
  expect(outcome).toMatchObject({ ending: 'abort', cause: 'user' });
  expect(observer.of('tool.completed').map(({ payload }) => payload.callId)).toEqual(['0.0']);
  expect(observer.of('tool.interrupted').map(({ payload }) => payload)).toEqual([
    { callId: '0.1', reason: expect.stringContaining('half done') },
  ]);
});

test('T11 a call that still answers within the grace has its answer kept', async () => {
  const last = untilStopped('last', async () => ({ output: 'just made it' }));
  const { start } = createHarness({ tools: [last], model: { answers: [{ calls: [{ tool: 'last' }] }] } });
  const { observer, abort, ...live } = await start();
  await observer.untilDelta(({ text }) => text === 'last');
  await abort();
  expect((await ended(live)).outcome.ending).toBe('abort');
  expect(observer.of('tool.completed').map(({ payload }) => payload.output)).toEqual(['just made it']);
});

test('T11 an effect that ignores its signal is waited for until the grace is over, and no longer', async () => {
  const clock = fakeClock();
  const { start } = createHarness({
    clock,
    services: { model: () => unresponsive() },
    model: { answers: [{ text: 'never received' }] },
  });
  const { observer, abort, ...live } = await start({ graceMs: 3_000 });
  await abort();
  clock.advance(2_999);
  await settled();
  expect(observer.of('decision.made')).toHaveLength(1);
  clock.advance(1);
  expect((await ended(live)).outcome).toMatchObject({ ending: 'abort', cause: 'user' });
  expect(observer.of('timer.fired').map(({ payload }) => payload.timer)).toEqual(['grace']);
});

test('T11 a repeated abort is accepted, but neither prolongs the grace nor changes the cause', async () => {
  const clock = fakeClock();
  const { start, log } = createHarness({
    clock,
    services: { model: () => unresponsive() },
    model: { answers: [{ text: 'never received' }] },
  });
  const { run, abort, ...live } = await start({ graceMs: 3_000 });
  await abort('first');
  clock.advance(2_000);
  await abort('second');
  clock.advance(1_000);
  await ended(live);
  const facts = await history(log, run);
  expect(facts.filter(({ type }) => type === 'abort.requested')).toHaveLength(2);
  expect(facts.findLast((fact) => fact.type === 'decision.made')?.payload.reason).toBe('first');
});

test('T11 a stream error that nothing cured ends in abort with the error, and its cost is kept', async () => {
  const { play } = createHarness({
    model: {
      answers: [
        {
          text: 'So far',
          error: { code: 'overloaded', message: 'too busy' },
          usage: { inputTokens: 3, outputTokens: 2 },
        },
      ],
    },
  });
  const { outcome, spend, facts } = await play();
  expect(outcome).toEqual({ ending: 'abort', cause: 'error', fault: { code: 'overloaded', message: 'too busy' } });
  expect(spend).toMatchObject({ inputTokens: 3, outputTokens: 2 });
  expect(facts.findLast((fact) => fact.type === 'decision.made')?.payload.evidence).toEqual([
    `${facts[0]?.run}/${facts.find(({ type }) => type === 'model.failed')?.version}`,
  ]);
});

test('T11 calls that a model asks for after the abort are kept, and never made', async () => {
  const made: string[] = [];
  const late = tool('late', async () => (made.push('late'), { output: '' }));
  const model = { answers: [{ text: 'never asked' }] };
  const { start } = createHarness({ tools: [late], model, services: { model: () => answersAfterAbort('late') } });
  const { abort, observer, ...live } = await start();
  await abort();
  expect((await ended(live)).outcome.ending).toBe('abort');
  expect(observer.of('model.completed')).toHaveLength(1);
  expect(observer.of('calls.admitted')).toEqual([]);
  expect(made).toEqual([]);
});

test('T11 an abort of a run that has ended is over at once, and leaves nothing in the log', async () => {
  const log = memoryLog();
  const post = vi.spyOn(log, 'post');
  const { abort, outcome } = await createHarness({ log, model: { answers: [{ text: 'done' }] } }).play();
  expect(outcome.ending).toBe('success');
  await abort();
  expect(post).not.toHaveBeenCalled();
});
