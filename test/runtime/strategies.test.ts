// Over 300 lines because each strategy is played through a whole run.
import { expect, test, vi } from 'vitest';
import { memoryLog } from '../../src/log/sqlite/engine.ts';
import { STRATEGY_LIMIT_MS } from '../../src/judging/strategy-effects.ts';
import type { LoopDecision } from '../../src/strategies/loop-decision.ts';
import { contentHash } from '../../src/strategies/report.ts';
import type { IterationCompleteEvent, LoopStrategy } from '../../src/strategies/strategy.ts';
import { aroundAppend } from '../support/around-append.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { own, under } from '../support/own-strategy.ts';
import { createHarness } from '../support/harness.ts';
import { ended, history } from '../support/run-history.ts';
import { capturing, never, note, tool, verdicts, verifying } from '../support/stand-ins.ts';

test('L2 a strategy is told everything about the iteration and those before it', async () => {
  const heard: IterationCompleteEvent[] = [];
  const clock = fakeClock();
  const onIterationComplete = async (event: IterationCompleteEvent) => {
    heard.push(event);
    return { continue: true, reason: 'more', metadata: { seen: event.iteration } };
  };
  const harness = under(
    { onIterationComplete },
    {
      clock,
      tools: [tool('work', async () => (clock.advance(1_000), { output: 'worked' }))],
      services: {
        verify: verifying(({ name }, { workspace }) => name === 'types' || workspace === 'tree-2'),
        capture: capturing('tree-1', 'tree-2'),
      },
      model: ({ iteration, step }) => ({
        text: `attempt ${iteration + 1}`,
        calls: step === 0 ? [{ tool: 'work', arguments: { iteration } }] : [],
        usage: { inputTokens: 10, outputTokens: 1 + iteration },
      }),
    },
  );
  const checks = [
    { level: 'L0', name: 'types', command: 'tsc' },
    { level: 'L1', name: 'tests', command: 'npm test' },
  ] as const;
  const { run } = await harness.play({ ...own, checks: [...checks], maxIterations: 5, maxTime: '10m' });
  const [first, second] = heard;
  const levels = (passed: boolean) => ({
    L0: { passed: true, checks: [expect.objectContaining({ name: 'types', passed: true, durationMs: 5 })] },
    L1: { passed, checks: [expect.objectContaining({ name: 'tests', passed, output: passed ? '' : 'tests says no' })] },
  });
  expect(first).toEqual({
    iteration: 0,
    totalIterations: 1,
    elapsedMs: 1_000,
    agentResult: {
      success: true,
      exitCode: null,
      outcome: { ending: 'success', verified: null, partial: false },
      tokensUsed: { input: 20, output: 2, total: 22 },
    },
    agentSuccess: true,
    agentOutput: 'attempt 1',
    verificationReport: { overall: { passed: false }, levels: levels(false) },
    verificationPassed: false,
    workspaceHash: 'tree-1',
    workspaceAtStart: null,
    ciStatus: null,
    previousIterations: [],
    maxIterations: 5,
    maxTimeMs: 600_000,
    runId: run,
    workOrderId: run,
  });
  expect(second).toMatchObject({
    iteration: 1,
    totalIterations: 2,
    elapsedMs: 2_000,
    verificationPassed: true,
    workspaceHash: 'tree-2',
  });
  expect(second?.previousIterations).toEqual([
    {
      iteration: 0,
      agentSuccess: true,
      verificationPassed: false,
      durationMs: 1_000,
      tokensUsed: 22,
      output: 'attempt 1',
      contentHash: contentHash(first?.verificationReport ?? null, 'tree-1'),
      highestLevel: 'L0',
      checksPassed: 1,
      checksTotal: 2,
      failingChecks: ['L1/tests'],
      failingTests: [],
      testsFailed: 0,
      workspaceHash: 'tree-1',
      workspaceRef: `refs/loopfold/${run}/1`,
      metadata: { seen: 0 },
    },
  ]);
});

test('L3 a stop ends the run as its action says, or as the facts do', async () => {
  const endOf = async (decision: LoopDecision, asked: object = {}) =>
    (await under({ onIterationComplete: async () => decision }).play({ ...own, ...asked })).outcome;
  const stop = { continue: false, reason: 'success! timeout! budget!' } as const;
  expect(await endOf({ ...stop, action: 'complete' }, { checks: [] })).toEqual({
    ending: 'success',
    verified: null,
    partial: false,
  });
  expect(await endOf({ ...stop, action: 'timeout' })).toMatchObject({ ending: 'cap_hit', limit: { name: 'time_ms' } });
  expect(await endOf({ ...stop, action: 'timeout', limit: { name: 'iterations', limit: 1 } })).toEqual({
    ending: 'cap_hit',
    limit: { name: 'iterations', used: 1, limit: 1 },
  });
  expect(await endOf({ ...stop, action: 'fail' })).toMatchObject({
    ending: 'doom_loop',
    finding: { detector: 'strategy-stop' },
  });
  expect(await endOf(stop)).toMatchObject({ ending: 'doom_loop', finding: { detector: 'strategy-stop' } });
  expect(await endOf({ ...stop, action: 'complete' })).toMatchObject({
    ending: 'doom_loop',
    finding: { detector: 'strategy-stop' },
  });
});

test('L3 what a strategy says is recorded before anything acts on it', async () => {
  const atAppend: number[] = [];
  let models = 0;
  const log = aroundAppend(memoryLog(), (request, append) => {
    if (request.events.some(({ type }) => type === 'iteration.started')) atAppend.push(models);
    return append(request);
  });
  const reasons = ['not yet', 'enough'];
  const onIterationComplete = async ({ iteration }: IterationCompleteEvent) => {
    await new Promise((resolve) => setImmediate(resolve));
    return { continue: iteration < 1, reason: reasons[iteration] ?? '', metadata: { iteration } };
  };
  const { facts } = await under(
    { onIterationComplete },
    { log, model: () => ({ text: `answer ${(models += 1)}` }) },
  ).play(own);
  expect(atAppend).toEqual([0, 1]);
  const said = facts
    .filter((fact) => fact.type === 'decision.made')
    .slice(1)
    .map(({ payload }) => payload);
  expect(said).toMatchObject([
    { action: 'continue', reason: 'not yet', strategy: { name: 'own', metadata: { iteration: 0 } } },
    {
      action: 'stop',
      reason: expect.stringContaining('enough'),
      strategy: { name: 'own', metadata: { iteration: 1 } },
    },
  ]);
});

test('L3 L20 a strategy that says null where it has nothing to say goes on, and is given null back', async () => {
  const before: unknown[] = [];
  const onIterationComplete = async ({ iteration, previousIterations }: IterationCompleteEvent) => {
    before.push(...previousIterations.map(({ metadata }) => metadata));
    return {
      continue: iteration < 1,
      reason: 'so far',
      feedback: null,
      metadata: null,
      action: null,
      partial: null,
      finding: null,
    };
  };
  const { outcome } = await under({ onIterationComplete }).play(own);
  expect(outcome).toMatchObject({ ending: 'doom_loop', finding: { detector: 'strategy-stop' } });
  expect(before).toEqual([null]);
});

test.each<[string, () => unknown]>([
  [
    'throws',
    () => {
      throw new Error('my fault');
    },
  ],
  ['rejects', () => Promise.reject(new Error('my fault'))],
  ['answers nonsense', async () => ({ carryOn: 'yes' })],
  ['answers nothing', () => undefined],
])('L3 a strategy that %s aborts the run with an error that says where, nothing lost', async (_how, answer) => {
  const { run, outcome, facts } = await under({
    onIterationComplete: answer as LoopStrategy['onIterationComplete'],
  }).play(own);
  const message = outcome.ending === 'abort' ? outcome.fault?.message : '';
  expect(outcome).toMatchObject({ ending: 'abort', cause: 'error' });
  expect(message).toContain('own');
  expect(message).toContain(run);
  expect(message).toMatch(/iteration 1\b/);
  expect(facts.some(({ type }) => type === 'verification.completed')).toBe(true);
});

test('L3 a strategy that never answers is given up after its time limit', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const asked = Promise.withResolvers<void>();
    const onIterationComplete = () => (asked.resolve(), never<LoopDecision>());
    const live = await under({ onIterationComplete }).start(own);
    await asked.promise;
    vi.advanceTimersByTime(STRATEGY_LIMIT_MS);
    expect((await ended(live)).outcome).toMatchObject({
      cause: 'error',
      fault: { message: expect.stringContaining('no answer within 60 s') },
    });
  } finally {
    vi.useRealTimers();
  }
});

test('L3 an abort does not wait for a strategy that thinks, nor ask it again', async () => {
  const asked = Promise.withResolvers<void>();
  let times = 0;
  const onIterationComplete = () => {
    times += 1;
    asked.resolve();
    return never<LoopDecision>();
  };
  const { observer, abort, ...live } = await under({ onIterationComplete }).start(own);
  await asked.promise;
  await abort();
  expect((await ended(live)).outcome).toMatchObject({ ending: 'abort', cause: 'user' });
  expect(times).toBe(1);
});

test('L5 only an attempt that succeeded is verified', async () => {
  const heard: IterationCompleteEvent[] = [];
  const onIterationComplete = async (event: IterationCompleteEvent) => {
    heard.push(event);
    return { continue: true, reason: 'more' };
  };
  const { facts } = await under(
    { onIterationComplete },
    {
      tools: [note],
      model: ({ iteration, step }) =>
        iteration === 0
          ? {
              calls: [{ tool: 'note', arguments: { step } }],
            }
          : { text: 'done' },
    },
  ).play({ ...own, maxSteps: 2, maxIterations: 2 });
  expect(facts.filter(({ type }) => type === 'verification.completed')).toHaveLength(1);
  expect(heard.map((event) => [event.agentSuccess, event.verificationReport === null])).toEqual([
    [false, true],
    [true, false],
  ]);
});

test('L5 what a decision feeds back stands in the next prompt, after the task', async () => {
  const prompts: string[] = [];
  const onIterationComplete = async ({ iteration }: IterationCompleteEvent) => ({
    continue: true,
    reason: 'more',
    feedback: `mind the gap ${iteration}`,
  });
  await under(
    { onIterationComplete },
    {
      model: ({ messages }) => {
        const [task] = messages;
        if (task?.role === 'user') prompts.push(task.text);
        return { text: 'done' };
      },
    },
  ).play({ ...own, prompt: 'Cross the platform.', maxIterations: 3 });
  expect(prompts.map((prompt) => prompt.startsWith('Cross the platform.'))).toEqual([true, true, true]);
  expect(prompts[0]).not.toContain('mind the gap');
  expect(prompts[1]).toContain('mind the gap 0');
  expect(prompts[2]).toContain('mind the gap 1');
  expect(prompts[2]).not.toContain('mind the gap 0');
  expect(prompts[2]).toContain('attempt 3 of 3');
});

test('L6 fixed tries three times where nothing says otherwise, and ends in cap_hit', async () => {
  const harness = createHarness({ model: { answers: [{ text: 'done' }] }, services: { verify: verdicts(false) } });
  const { outcome, facts } = await harness.play({ checks: ['false'] });
  expect(outcome).toEqual({ ending: 'cap_hit', limit: { name: 'iterations', used: 3, limit: 3 } });
  expect(facts.filter(({ type }) => type === 'iteration.started')).toHaveLength(3);
});

test('L6 fixed stops as soon as verification passes, also in the last iteration', async () => {
  for (const attempts of [1, 2, 3]) {
    const failures = Array.from({ length: attempts - 1 }, () => false);
    const harness = createHarness({
      model: { answers: [{ text: 'done' }] },
      services: { verify: verdicts(...failures, true) },
    });
    const { outcome, facts } = await harness.play({ checks: ['true'] });
    const verified = facts.findLast(({ type }) => type === 'verification.completed')?.version;
    expect(outcome).toEqual({
      ending: 'success',
      verified: { version: verified, workspace: `tree-${attempts}`, grade: 'weak', enough: false },
      partial: false,
    });
    expect(facts.filter(({ type }) => type === 'iteration.started')).toHaveLength(attempts);
  }
});

test('L20 a strategy needs no memory: its metadata comes back after a restart too', async () => {
  const heard: unknown[] = [];
  const asked = Promise.withResolvers<void>();
  const onIterationComplete = async (event: IterationCompleteEvent): Promise<LoopDecision> => {
    const { iteration, previousIterations } = event;
    heard.push(previousIterations.map(({ metadata }) => metadata));
    if (heard.length === 2) {
      asked.resolve();
      return never();
    }
    return { continue: true, reason: 'more', metadata: { counted: iteration + 1 } };
  };
  const harness = under({ onIterationComplete });
  const first = await harness.start({ ...own, maxIterations: 3 });
  await asked.promise;
  await first.pause('user');
  expect(await first.done).toEqual({ kind: 'paused' });
  await ended(await harness.resume(first.run));
  expect(heard).toEqual([[], [{ counted: 1 }], [{ counted: 1 }], [{ counted: 1 }, { counted: 2 }]]);
  expect((await history(harness.log, first.run)).filter(({ type }) => type === 'child.settled')).toHaveLength(3);
});
