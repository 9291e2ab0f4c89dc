import { expect, test } from 'vitest';
import type { Seen } from '../support/observers.ts';
import { createHarness } from '../support/harness.ts';
import { ended, history } from '../support/run-history.ts';
import { note, untilStopped, verdicts } from '../support/stand-ins.ts';

const usage = { inputTokens: 100, outputTokens: 10 };
const settledIn = (facts: readonly Seen[]) =>
  facts.filter((fact) => fact.type === 'child.settled').map(({ payload }) => payload);

test('an attempt is a run of its own, opened by the effect that asked for it, with its share', async () => {
  const harness = createHarness({
    tools: [note],
    model: { answers: [{ text: 'tried', usage }] },
    services: { verify: verdicts(false, true) },
  });
  const { run, facts } = await harness.play({ checks: ['true'], maxTokens: 1_000, maxSteps: 7 });
  const [first, second] = settledIn(facts);
  const started = async (child = '') => (await history(harness.log, child))[0];
  const opening = facts.find(({ type }) => type === 'iteration.started');
  expect(await started(first?.child)).toMatchObject({
    type: 'run.started',
    payload: {
      machine: 'turn@1',
      settings: {
        loop: 'turn',
        checks: [],
        strategy: null,
        limits: {
          maxSteps: 7,
          maxTokens: 1_000,
          maxTimeMs: null,
          maxIterations: null,
        },
        parent: {
          run,
          iteration: 0,
          effect: expect.stringMatching(new RegExp(`^${run}/${(opening?.version ?? 0) - 1}/\\d$`)),
        },
      },
    },
  });
  expect(await started(second?.child)).toMatchObject({
    payload: { settings: { limits: { maxTokens: 890 }, parent: { iteration: 1 } } },
  });
  expect(await harness.log.run(first?.child ?? '')).toMatchObject({ root: run, closed: 'success' });
});

test('what the attempts spend counts once for the loop, also when one of them was interrupted', async () => {
  const model = ({ step }: { step: number }) =>
    step === 0 ? { calls: [{ tool: 'slow' }], usage } : { text: 'tried', usage };
  const first = createHarness({ tools: [untilStopped('slow', () => Promise.reject(new Error('cut')))], model });
  const paused = await first.start({ checks: ['true'] });
  await paused.observer.untilDelta(({ text }) => text === 'slow');
  await paused.pause('user');
  await paused.done;
  const second = createHarness({
    log: first.log,
    tools: [{ ...note, name: 'slow' }],
    model,
    services: { verify: verdicts(false, true) },
  });
  const live = await second.resume(paused.run);
  const { spend } = await ended(live);
  const children = settledIn(await history(first.log, paused.run));
  expect(children.map((child) => child.spend)).toEqual(
    [1, 2].map(() => ({
      inputTokens: 200,
      outputTokens: 20,
      steps: 2,
      toolCalls: 1,
    })),
  );
  expect(spend).toEqual({ inputTokens: 400, outputTokens: 40, steps: 4, toolCalls: 2 });
});

test('the tokens of all attempts together are the budget of the loop', async () => {
  const harness = createHarness({
    model: { answers: [{ text: 'tried', usage: { inputTokens: 1_000, outputTokens: 10 } }] },
    services: { verify: verdicts(false) },
  });
  const { outcome, facts } = await harness.play({ checks: ['false'], maxTokens: 2_020, maxIterations: 9 });
  expect(outcome).toEqual({ ending: 'budget', limit: { name: 'tokens', used: 2_020, limit: 2_020 } });
  expect(settledIn(facts)).toHaveLength(2);
});

test.each<[string, object, string]>([
  ['cap_hit', { maxSteps: 1 }, 'step limit reached (1/1)'],
  ['budget', { maxToolCalls: 1 }, 'tool budget exhausted (1/1)'],
  ['doom_loop', {}, 'the same call 3 times'],
])('an attempt that ends in %s is a failed iteration, and the next one is told', async (ending, asked, said) => {
  const prompts: string[] = [];
  const harness = createHarness({
    tools: [note],
    model: ({ iteration, messages: [task] }) => {
      prompts.push(task?.role === 'user' ? task.text : '');
      return iteration === 0 ? { calls: [{ tool: 'note' }] } : { text: 'done' };
    },
  });
  const { outcome, facts } = await harness.play({ checks: ['true'], ...asked });
  expect(settledIn(facts).map((child) => child.outcome.ending)).toEqual([ending, 'success']);
  expect(facts.filter(({ type }) => type === 'verification.completed')).toHaveLength(1);
  expect(outcome.ending).toBe('success');
  expect(prompts.at(-1)).toContain(said);
});

test('an attempt that ends by an error ends the loop with the same error', async () => {
  const fault = { code: 'down', message: 'out of order' };
  const { outcome, facts } = await createHarness({ model: { answers: [{ error: fault }] } }).play({ checks: ['true'] });
  expect(outcome).toEqual({ ending: 'abort', cause: 'error', fault });
  expect(settledIn(facts)).toHaveLength(1);
});

test('an abort of the loop goes to the child first, whose final results and spend are kept', async () => {
  const harness = createHarness({
    tools: [untilStopped('slow', async () => ({ output: 'final output' }))],
    model: ({ step }) => (step === 0 ? { text: 'I begin.', calls: [{ tool: 'slow' }], usage } : { text: 'never' }),
  });
  const live = await harness.start({ checks: ['true'] });
  const { run: child } = await live.observer.untilDelta(({ text }) => text === 'slow');
  await live.abort('stop it');
  const { outcome, spend, answer } = await ended(live);
  expect(outcome).toEqual({ ending: 'abort', cause: 'user', fault: null });
  expect(answer).toBe('I begin.');
  expect(spend).toMatchObject({ inputTokens: 100, outputTokens: 10, toolCalls: 1 });
  const order = live.observer.facts
    .filter(({ type, payload }) => type === 'decision.made' && 'sink' in payload)
    .map(({ run }) => run);
  expect(order).toEqual([child, live.run]);
  expect((await history(harness.log, child)).some(({ type }) => type === 'tool.completed')).toBe(true);
});
