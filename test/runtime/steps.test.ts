import { takesAll } from '../support/tenth.ts';
import { expect, test } from 'vitest';
import type { Message } from '../../src/actors/model/model.ts';
import { batching } from '../support/around-append.ts';
import { createHarness } from '../support/harness.ts';
import { history } from '../support/run-history.ts';
import { note, tool, verdicts } from '../support/stand-ins.ts';
import { memoryLog } from '../../src/log/sqlite/engine.ts';

const calls = (...names: string[]) => names.map((name, index) => ({ tool: name, arguments: { index } }));

test('T1 the calls of one answer run side by side, and each result is an event of its own', async () => {
  const arrived = { left: Promise.withResolvers<void>(), right: Promise.withResolvers<void>() };
  const meet = (mine: keyof typeof arrived, other: keyof typeof arrived) =>
    tool(mine, async () => {
      arrived[mine].resolve();
      await arrived[other].promise;
      return { output: mine };
    });
  const { play } = createHarness({
    tools: [meet('left', 'right'), meet('right', 'left')],
    model: { answers: [{ calls: calls('left', 'right') }, { text: 'done' }] },
  });
  const { facts, outcome } = await play();
  const results = facts.filter(({ type }) => type === 'tool.completed');
  expect(results.map(({ payload }) => payload)).toEqual(
    expect.arrayContaining([
      { callId: '0.0', output: 'left' },
      { callId: '0.1', output: 'right' },
    ]),
  );
  expect(results).toHaveLength(2);
  expect(outcome.ending).toBe('success');
});

test('T1 the next step begins when the slowest call has answered', async () => {
  const slow = Promise.withResolvers<{ output: string }>();
  const { start } = createHarness({
    tools: [tool('slow', () => slow.promise), note],
    model: { answers: [{ calls: calls('slow', 'note') }, { text: 'done' }] },
  });
  const { observer, done } = await start();
  await observer.until('tool.completed');
  expect(observer.of('step.started')).toHaveLength(1);
  slow.resolve({ output: 'at last' });
  await done;
  const types = observer.facts.map(({ type }) => type);
  expect(types.lastIndexOf('step.started')).toBeGreaterThan(types.lastIndexOf('tool.completed'));
});

test('T1 the model receives every result in the order it asked, whichever came first', async () => {
  const slow = Promise.withResolvers<void>();
  const heard: (readonly Message[])[] = [];
  const { play } = createHarness({
    tools: [
      tool('slow', async () => (await slow.promise, { output: 'first asked' })),
      tool('quick', async () => (slow.resolve(), { output: 'second asked' })),
    ],
    model: ({ messages, step }) => {
      heard.push(messages);
      return step === 0 ? { calls: calls('slow', 'quick') } : { text: 'done' };
    },
  });
  await play();
  expect(heard[1]?.map((message) => ('output' in message ? message.output : message.role))).toEqual([
    'user',
    'assistant',
    'first asked',
    'second asked',
  ]);
});

test('T2 hundreds of steps run on a stack no deeper than ten', async () => {
  const steps = takesAll ? 2_000 : 500;
  const depths = new Map<number, number>();
  const { play } = createHarness({
    tools: [note],
    ceilings: { steps },
    model: ({ step }) => {
      if (step === 10 || step === steps - 2) depths.set(step, depthOfStack());
      return step < steps - 1 ? { calls: [{ tool: 'note', arguments: { step } }] } : { text: 'done' };
    },
  });
  const { outcome, spend } = await play({ maxSteps: steps, maxToolCalls: 'none', detectors: ['off'] });
  expect(outcome.ending).toBe('success');
  expect(spend.steps).toBe(steps);
  expect(depths.get(steps - 2)).toBe(depths.get(10));
});

/** Awaiting callers included. */
function depthOfStack(): number {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = Infinity;
  const depth = new Error('here').stack?.split('\n').length ?? 0;
  Error.stackTraceLimit = limit;
  return depth;
}

test('T3 the step cap ends the run in cap_hit, and no model is asked beyond it', async () => {
  const { play } = createHarness({
    tools: [note],
    model: ({ step }) => ({ calls: [{ tool: 'note', arguments: { step } }] }),
  });
  const { outcome, facts } = await play({ maxSteps: 4 });
  expect(outcome).toEqual({ ending: 'cap_hit', limit: { name: 'steps', used: 4, limit: 4 } });
  expect(facts.filter(({ type }) => type === 'model.completed')).toHaveLength(4);
});

test('T3 without a cap of its own a run gets the ceiling of 200', async () => {
  const { play } = createHarness({
    tools: [note],
    model: ({ step }) => ({ calls: [{ tool: 'note', arguments: { step } }] }),
  });
  const { outcome } = await play({ maxToolCalls: 'none', detectors: ['off'] });
  expect(outcome).toEqual({ ending: 'cap_hit', limit: { name: 'steps', used: 200, limit: 200 } });
});

test('T4 each step begins in the same append as the decision to go on, right behind it', async () => {
  const { log, batches } = batching(memoryLog());
  const { play } = createHarness({
    log,
    tools: [note],
    model: { answers: [{ calls: calls('note') }, { text: 'done' }] },
  });
  await play();
  const starting = batches.filter((batch) => batch.includes('step.started'));
  expect(starting).toEqual([
    ['run.started', 'decision.made', 'step.started'],
    ['tool.completed', 'decision.made', 'step.started'],
  ]);
});

test('T4 steps count from zero and carry the time of their decision', async () => {
  const { play } = createHarness({ tools: [note], model: { answers: [{ calls: calls('note') }, { text: 'done' }] } });
  const { facts } = await play();
  const started = facts.filter((fact) => fact.type === 'step.started');
  expect(started.map(({ payload }) => payload)).toEqual(started.map(({ at }, step) => ({ step, startedAt: at })));
  expect(started.map(({ causation }) => causation)).toEqual(started.map(({ version }) => String(version - 1)));
  expect(started).toHaveLength(2);
});

test('T4 the repetition is looked at before the budget, and both before the next step', async () => {
  const same = { tool: 'note', arguments: {} };
  const { play } = createHarness({ tools: [note], model: { answers: [{ calls: [same], repeat: 3 }] } });
  const { outcome, facts } = await play({ maxToolCalls: 3 });
  expect(outcome.ending).toBe('doom_loop');
  expect(facts.filter(({ type }) => type === 'step.started')).toHaveLength(3);
});

test('T5 an answer without calls ends the turn in success, unverified where nothing was to be checked', async () => {
  const { play } = createHarness({ model: { answers: [{ text: 'It is done.' }] } });
  const { outcome, answer, facts } = await play();
  expect(outcome).toEqual({ ending: 'success', verified: null, partial: false });
  expect(answer).toBe('It is done.');
  expect(facts.map(({ type }) => type)).toEqual([
    'run.started',
    'decision.made',
    'step.started',
    'model.completed',
    'decision.made',
    'summary.written',
    'strategy.ended',
  ]);
});

test('T8 with zero steps the model answers once, is offered nothing, and its calls are ignored', async () => {
  const offered: number[] = [];
  const { play } = createHarness({
    tools: [note],
    model: ({ tools }) => (offered.push(tools.length), { text: 'Only words.', calls: calls('note') }),
  });
  const { outcome, answer, facts } = await play({ maxSteps: 0 });
  expect(outcome).toEqual({ ending: 'success', verified: null, partial: false });
  expect(answer).toBe('Only words.');
  expect(offered).toEqual([0]);
  expect(facts.filter((fact) => fact.type === 'warning.raised').map(({ payload }) => payload.code)).toEqual([
    'calls_ignored',
  ]);
  expect(facts.some(({ type }) => type === 'calls.admitted')).toBe(false);
});

test('T8 an answer that was ended early is no finished work, also where it is the only one', async () => {
  const { play } = createHarness({
    model: { name: 'cut', answer: async () => ({ text: 'Only half the wor', cut: 'length' }) },
  });
  const { outcome, answer } = await play({ maxSteps: 0 });
  expect(outcome).toEqual({ ending: 'cap_hit', limit: { name: 'steps', used: 1, limit: 0 } });
  expect(answer).toBe('Only half the wor');
});

test('T10 a tool that declares the work finished ends the turn with its answer', async () => {
  const { play } = createHarness({
    model: { answers: [{ text: 'I finish.', calls: [{ tool: 'finish', arguments: { answer: 'Forty-two.' } }] }] },
  });
  const { outcome, answer, facts } = await play();
  expect(outcome).toEqual({ ending: 'success', verified: null, partial: false });
  expect(answer).toBe('Forty-two.');
  expect(facts.filter(({ type }) => type === 'step.started')).toHaveLength(1);
});

test('T10 finished work is checked like any other, and goes on when the checks fail', async () => {
  const { log, play } = createHarness({
    model: ({ step }) => ({ calls: [{ tool: 'finish', arguments: { answer: `try ${step + 1}` } }] }),
    services: { verify: verdicts(false, true) },
  });
  const { run, outcome, answer } = await play({ loop: 'turn', checks: ['L1:npm test'] });
  const facts = await history(log, run);
  const verified = facts.findLast(({ type }) => type === 'verification.completed');
  expect(outcome).toEqual({
    ending: 'success',
    verified: { version: verified?.version, workspace: 'tree-2', grade: 'weak', enough: false },
    partial: false,
  });
  expect(answer).toBe('try 2');
  const decisions = facts.filter((fact) => fact.type === 'decision.made');
  expect(decisions[1]?.payload.feedback).toContain('L1/npm test');
});
