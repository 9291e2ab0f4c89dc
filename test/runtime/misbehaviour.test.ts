import { expect, test } from 'vitest';
import type { LoopEvent } from '../../machines/events.ts';
import type { Actor } from '../../src/actors/actor.ts';
import type { ModelInput } from '../../src/actors/model/model-actor.ts';
import type { ToolInput } from '../../src/actors/tools/tool-actor.ts';
import { answered, saying, throwing } from '../support/misbehaving-actors.ts';
import { alone } from '../support/alone.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { createHarness } from '../support/harness.ts';
import { ended, history } from '../support/run-history.ts';
import { settled, tool, untilStopped } from '../support/stand-ins.ts';

const model = { answers: [{ text: 'never asked' }] };
const withModel = (actor: Actor<ModelInput>, clock = fakeClock()) =>
  createHarness({
    model,
    clock,
    services: { model: () => actor },
  });

test.each<[string, Actor<ModelInput>, RegExp]>([
  ['throws', throwing('a bug'), /streamModel broke its promise: a bug/],
  [
    'says what is no event',
    saying({ type: 'model.completed', payload: { text: 1 } }),
    /broke its promise: model.completed is no event of turn@1: .*text/s,
  ],
  [
    'says what belongs to another loop',
    saying({ type: 'iteration.started', payload: {} }),
    /broke its promise: \S+ is no event of turn@1/,
  ],
  [
    'ends without a result',
    saying({ type: 'warning.raised', payload: { code: 'bye', message: 'that was all' } }),
    /it ended without a result$/,
  ],
  [
    'says only what is not taken there',
    saying({ type: 'effect.interrupted', payload: { actor: 'agent', reason: '' } }),
    /it ended without a result: effect\.interrupted is not taken here$/,
  ],
  [
    'has a result that JSON cannot say',
    saying(answered('half a \uD800')),
    /broke its promise: its result is not JSON$/,
  ],
])('T11 an actor that %s ends the run at once, in abort by error, saying which', async (_how, actor, reason) => {
  const { outcome, facts } = await withModel(actor).play();
  expect(outcome).toMatchObject({ ending: 'abort', cause: 'error', fault: { code: 'actor_failed' } });
  expect(outcome.ending === 'abort' ? outcome.fault?.message : '').toMatch(reason);
  expect(facts.some(({ type }) => type === 'timer.fired')).toBe(false);
});

test('the result of an effect that has answered before is refused, and the run takes no harm', async () => {
  const { outcome, answer, facts } = await withModel(saying(answered('first'), answered('second'))).play();
  expect(outcome.ending).toBe('success');
  expect(answer).toBe('first');
  expect(facts.filter(({ type }) => type === 'model.completed')).toHaveLength(1);
});

test('an effect that has answered has nothing more to say', async () => {
  const chatty: Actor<ToolInput> = {
    effectClass: () => 'repeatable',
    async *execute({ callId }) {
      yield { type: 'warning.raised', payload: { code: 'before', message: 'I begin' } };
      yield { type: 'tool.completed', payload: { callId, output: 'done' } };
      yield { type: 'warning.raised', payload: { code: 'after', message: 'and another thing' } };
    },
  };
  const harness = createHarness({
    services: { tools: () => chatty },
    model: { answers: [{ calls: [{ tool: 'chatty' }] }, { text: 'done' }] },
  });
  const { facts } = await harness.play();
  expect(facts.flatMap((fact) => (fact.type === 'warning.raised' ? [fact.payload.code] : []))).toEqual(['before']);
});

test('an effect cannot answer for another', async () => {
  const lie = { type: 'tool.completed', payload: { callId: '0.0', output: 'I was never asked' } };
  const { outcome, facts } = await withModel(saying(lie, answered('done'))).play();
  expect(outcome.ending).toBe('success');
  expect(facts.some(({ type }) => type === 'tool.completed')).toBe(false);
});

test('a call that hangs is a failed call that the model sees, and the run goes on', async () => {
  const heard: string[] = [];
  const { play } = createHarness({
    tools: [untilStopped('hangs', () => Promise.reject(new Error('cut')), { timeoutMs: 20 })],
    model: ({ step, messages }) => {
      heard.push(...messages.flatMap((message) => (message.role === 'tool' && message.failed ? [message.output] : [])));
      return step === 0 ? { calls: [{ tool: 'hangs' }] } : { text: 'done' };
    },
  });
  const { outcome, facts } = await play();
  expect(outcome.ending).toBe('success');
  expect(facts.find((fact) => fact.type === 'tool.failed')?.payload.fault.code).toBe('tool_timed_out');
  expect(heard).toEqual([expect.stringContaining('did not answer in time')]);
});

test('a call of a tool that throws, and one of an unknown tool, are failed calls that the model sees', async () => {
  const { play } = createHarness({
    tools: [tool('throws', () => Promise.reject(new Error('no luck')))],
    model: ({ step }) =>
      step === 0
        ? {
            calls: [{ tool: 'throws' }, { tool: 'unheard_of' }, { tool: 'throws', arguments: 'odd' }],
          }
        : { text: 'done' },
  });
  const { outcome, facts } = await play();
  expect(outcome.ending).toBe('success');
  const faults = facts.flatMap((fact) => (fact.type === 'tool.failed' ? [fact.payload.fault.code] : []));
  expect(faults.toSorted()).toEqual(['arguments_invalid', 'tool_threw', 'tool_unknown']);
});

test.each<[string, LoopEvent, string]>([
  [
    'that no state expects',
    { type: 'step.started', payload: { step: 7, startedAt: '2030-01-01T00:00:00.000Z' } },
    'unexpected',
  ],
  [
    'of another loop',
    { type: 'iteration.started', payload: { iteration: 0, startedAt: '2030-01-01T00:00:00.000Z' } },
    'unexpected',
  ],
  [
    'that answers a call that was not made',
    { type: 'tool.completed', payload: { callId: '0.0', output: '' } },
    'unexpected',
  ],
  ['that JSON cannot say', { type: 'warning.raised', payload: { code: 'odd', message: 'half a \uD800' } }, 'not_json'],
])('an event %s is rejected and counted, and never reaches the log', async (_which, event, because) => {
  const { log, batches, run } = await alone();
  const before = run.state;
  expect(await run.post(event)).toEqual({ kind: 'rejected', because });
  expect(await run.post(event)).toEqual({ kind: 'rejected', because });
  expect(run.rejected).toBe(2);
  expect(run.state).toBe(before);
  expect(batches).toHaveLength(1);
  expect(await history(log, 'alone')).toHaveLength(before.version);
  run.lose('the test is over');
});

test('an actor that ignores its signal cannot say anything after its run', async () => {
  const waking = Promise.withResolvers<void>();
  const spoken = Promise.withResolvers<void>();
  const clock = fakeClock();
  const late: Actor<ModelInput> = {
    effectClass: () => 'once',
    async *execute() {
      await waking.promise;
      yield answered('too late') as LoopEvent;
      spoken.resolve();
    },
  };
  const { start, log } = withModel(late, clock);
  const { run, abort, ...live } = await start({ graceMs: 1_000 });
  await abort();
  clock.advance(1_000);
  await ended(live);
  const before = await history(log, run);
  waking.resolve();
  await spoken.promise;
  await settled();
  expect(await history(log, run)).toEqual(before);
});
