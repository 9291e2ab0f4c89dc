// Over 300 lines because each way that delegated work can end has its case.
import { describe, expect, test } from 'vitest';
import type { ModelRequest } from '../../../src/actors/model/model.ts';
import { delegationSignature } from '../../../src/detectors/handoff-cycle.ts';
import { MAX_HANDOFF_LEVELS } from '../../../src/budget/fair-shares.ts';
import {
  admittedIn,
  byTask,
  comeBack,
  delegating,
  delegateCall,
  settledIn,
  firstly,
  USAGE,
} from '../../support/delegation.ts';
import { createHarness } from '../../support/harness.ts';
import { history } from '../../support/run-history.ts';
import { note } from '../../support/stand-ins.ts';

describe('delegated work', () => {
  test('is done by a run of its own, with its share, and its answer is what the call comes to', async () => {
    const asked: ModelRequest[] = [];
    const harness = createHarness({
      tools: [note],
      model: byTask({
        'Do it.': (request) => (
          asked.push(request),
          firstly({ calls: [delegateCall('Count'), delegateCall('Weigh', { maxTokens: 1_500 })] })(request)
        ),
      }),
    });
    const { run, outcome, answer, spend, facts } = await harness.play({
      ...delegating,
      maxTokens: 10_010,
      maxSteps: 10,
      graceMs: 8_000,
      agent: 'Chief',
    });
    expect({ outcome, answer }).toEqual({
      outcome: { ending: 'success', verified: null, partial: false },
      answer: 'all done',
    });
    expect(comeBack(asked.at(-1) as ModelRequest)).toEqual([
      { output: 'Count: done', failed: false },
      { output: 'Weigh: done', failed: false },
    ]);
    expect(spend).toEqual({ inputTokens: 400, outputTokens: 40, steps: 4, toolCalls: 2 });
    const [admission] = admittedIn(facts);
    expect(admission?.run).toEqual([
      { callId: '0.0', actor: 'runAgent', share: { tokens: 4_200, nanoUsd: null, steps: 3, toolCalls: 16 } },
      { callId: '0.1', actor: 'runAgent', share: { tokens: 1_500, nanoUsd: null, steps: 3, toolCalls: 16 } },
    ]);
    const [first] = settledIn(facts);
    expect(await harness.log.run(first?.child ?? '')).toMatchObject({ root: run, closed: 'success' });
    expect((await history(harness.log, first?.child ?? ''))[0]).toMatchObject({
      type: 'run.started',
      payload: {
        machine: 'turn@1',
        settings: {
          loop: 'turn',
          prompt: 'Count',
          agent: 'Chief',
          checks: [],
          strategy: null,
          graceMs: 4_000,
          limits: { maxSteps: 3, maxToolCalls: 16, maxTokens: 4_200, maxTimeMs: null, maxIterations: null },
          parent: { run, lineage: [delegationSignature({ agent: 'Chief', task: 'Do it.' })] },
        },
      },
    });
  });

  test('a turn counts its own steps, whatever its children take', async () => {
    const harness = createHarness({
      tools: [note],
      model: byTask({
        'Do it.': firstly({ calls: [delegateCall('Walk')] }),
        Walk: firstly({ calls: [{ tool: 'note' }] }),
      }),
    });
    const { facts, spend } = await harness.play(delegating);
    expect(facts.flatMap((fact) => (fact.type === 'step.started' ? [fact.payload.step] : []))).toEqual([0, 1]);
    expect(spend.steps).toBe(4);
  });

  test.each<[string, object, object, RegExp]>([
    [
      'a limit',
      { maxSteps: 6 },
      { calls: [{ tool: 'note' }] },
      /^not finished: step limit reached \(2\/2\)\. .* until then is done\.$/,
    ],
    ['an error', {}, { error: { code: 'down', message: 'out of order' } }, /^not finished: out of order\./],
    [
      'a loop',
      {},
      { calls: [{ tool: 'note' }], text: 'Again.' },
      /^not finished: the same call 3 times.* What was said last: Again\.$/,
    ],
  ])('that ends by %s is reported as text, and its delegator continues', async (_what, limits, answer, words) => {
    const asked: ModelRequest[] = [];
    const harness = createHarness({
      tools: [note],
      model: byTask({
        'Do it.': (request) => (asked.push(request), firstly({ calls: [delegateCall('Try')] })(request)),
        Try: () => ({ usage: USAGE, ...answer }),
      }),
    });
    const { outcome } = await harness.play({ ...delegating, ...limits });
    expect(outcome.ending).toBe('success');
    expect(comeBack(asked.at(-1) as ModelRequest)).toEqual([{ output: expect.stringMatching(words), failed: true }]);
  });

  test('is refused where nothing is left for it, who asked first is served first, and nothing runs', async () => {
    const harness = createHarness({
      model: byTask({
        'Do it.': firstly({
          calls: ['a', 'b', 'c'].map((task) => delegateCall(task)),
          usage: { inputTokens: 4_990, outputTokens: 10 },
        }),
      }),
    });
    const { facts } = await harness.play({ ...delegating, maxTokens: 5_000 + 3 * 64 });
    const [admission] = admittedIn(facts);
    expect(admission?.run.map(({ callId }) => callId)).toEqual(['0.0', '0.1']);
    expect(admission?.refused).toEqual([{ callId: '0.2', reason: 'refused: budget' }]);
    expect(settledIn(facts)).toHaveLength(2);
  });

  test('is delegated to a limited depth only', async () => {
    const harness = createHarness({
      model: (request) =>
        firstly({
          calls: [delegateCall(`${String(request.messages[0]?.role === 'user' && request.messages[0].text)}.`)],
        })(request),
    });
    await harness.play({ ...delegating, maxToolCalls: 'none' });
    const runs = await harness.log.runs();
    expect(runs).toHaveLength(1 + MAX_HANDOFF_LEVELS);
    const [admission] = admittedIn(await history(harness.log, runs.at(-1)?.run ?? ''));
    expect(admission).toEqual({
      run: [],
      refused: [{ callId: '0.0', reason: 'refused: this work was delegated 5 times already, do it yourself' }],
    });
  });

  test('is nothing that a run can do which does not have the tool', async () => {
    const harness = createHarness({
      tools: [note],
      model: byTask({ 'Do it.': firstly({ calls: [delegateCall('Count')] }) }),
    });
    const { facts } = await harness.play({ loop: 'turn', tools: ['note'] });
    expect(facts.flatMap((fact) => (fact.type === 'tool.failed' ? [fact.payload.fault.code] : []))).toEqual([
      'tool_unknown',
    ]);
    expect(await harness.log.runs()).toHaveLength(1);
  });

  test('is a failed call where its arguments are invalid', async () => {
    const harness = createHarness({
      model: byTask({
        'Do it.': firstly({ calls: [delegateCall('  '), { tool: 'delegate', arguments: { job: 'x' } }] }),
      }),
    });
    const { facts } = await harness.play(delegating);
    expect(facts.flatMap((fact) => (fact.type === 'tool.failed' ? [fact.payload.fault.code] : []))).toEqual([
      'arguments_invalid',
      'arguments_invalid',
    ]);
  });

  test('an attempt of a loop can hand work over, and its spend counts once up to the root', async () => {
    const harness = createHarness({ model: byTask({ 'Do it.': firstly({ calls: [delegateCall('Count')] }) }) });
    const { spend, facts } = await harness.play({ tools: ['delegate'], checks: ['true'], maxTokens: 10_000 });
    expect(spend).toEqual({ inputTokens: 300, outputTokens: 30, steps: 3, toolCalls: 1 });
    expect(settledIn(facts)).toHaveLength(1);
    expect(await harness.log.runs()).toHaveLength(3);
  });
});

describe('D12 a chain that comes back to where it was', () => {
  test('D12 A → B → C → A: the fourth is refused, the model is told why, and nothing runs', async () => {
    const told: ModelRequest[] = [];
    const passing = (agent: string, task: string) => firstly({ calls: [delegateCall(task, { agent })] });
    const harness = createHarness({
      agents: (name) => ({ kind: 'agent', agent: { name, tools: ['delegate'] } }),
      model: byTask({
        'Do it.': passing('A', 'plan'),
        plan: passing('B', 'build'),
        build: passing('C', 'check'),
        check: (request) => (told.push(request), passing('A', 'plan')(request)),
      }),
    });
    await harness.play(delegating);
    expect(await harness.log.runs()).toHaveLength(4);
    expect(comeBack(told.at(-1) as ModelRequest)).toEqual([
      { output: expect.stringMatching(/^refused: A already has this task/), failed: true },
    ]);
    const [admission] = admittedIn(await history(harness.log, (await harness.log.runs()).at(-1)?.run ?? ''));
    expect(admission?.findings).toMatchObject([{ detector: 'handoff-cycle', level: 'block', calls: ['0.0'] }]);
  });

  test.each([[{}], [{ agent: 'chief' }]])(
    'D12 an agent that delegates its own task is refused, under any name: %j',
    async (more) => {
      const harness = createHarness({
        agents: (name) => ({ kind: 'agent', agent: { name } }),
        model: byTask({ 'Do it.': firstly({ calls: [delegateCall('Do  it. ', more)] }) }),
      });
      await harness.play({ ...delegating, agent: 'Chief' });
      expect(await harness.log.runs()).toHaveLength(1);
    },
  );

  test('D12 the same agent with another task is no cycle', async () => {
    const passing = (task: string) => firstly({ calls: [delegateCall(task, { agent: 'A' })] });
    const harness = createHarness({
      agents: (name) => ({ kind: 'agent', agent: { name } }),
      model: byTask({ 'Do it.': passing('part 1'), 'part 1': passing('part 2') }),
    });
    await harness.play(delegating);
    expect(await harness.log.runs()).toHaveLength(3);
  });
});

describe('agents', () => {
  const handedTo = async (agents: Parameters<typeof createHarness>[0]['agents'], agent = 'Scout') => {
    const asked: ModelRequest[] = [];
    const harness = createHarness({
      ...(agents ? { agents } : {}),
      model: byTask({
        'Do it.': (request) => (asked.push(request), firstly({ calls: [delegateCall('Look', { agent })] })(request)),
      }),
    });
    const played = await harness.play({ ...delegating, system: 'You lead.', maxSteps: 100 });
    return { ...played, harness, came: comeBack(asked.at(-1) as ModelRequest) };
  };

  test('an agent brings its own words, model, tools and limits, within the share', async () => {
    const { harness } = await handedTo(() => ({
      kind: 'agent',
      agent: {
        name: 'scout',
        system: 'You look.',
        model: 'script:scout.json',
        tools: ['note'],
        maxSteps: 7,
        maxToolCalls: 1_000,
      },
    }));
    const [, child] = await harness.log.runs();
    expect((await history(harness.log, child?.run ?? ''))[0]).toMatchObject({
      payload: {
        settings: {
          agent: 'scout',
          system: 'You look.',
          model: 'script:scout.json',
          tools: ['note'],
          limits: { maxSteps: 7, maxToolCalls: 24 },
        },
      },
    });
  });

  test.each<[string, Parameters<typeof createHarness>[0]['agents'], RegExp]>([
    [
      'one that is unknown',
      () => ({ kind: 'unknown', known: ['Refactorer', 'Tester'] }),
      /^there is no agent "Scout"; there are: Refactorer, Tester$/,
    ],
    ['one where there are none', undefined, /^there is no agent "Scout"; there are none: leave agent out$/],
    [
      'one that cannot be used',
      () => ({ kind: 'refused', reason: 'scout.md:3: steps: expected a whole number' }),
      /^scout\.md:3/,
    ],
    [
      'a lookup that fails',
      () => Promise.reject(new Error('the disk is gone')),
      /^the agent "Scout" cannot be used: the disk is gone$/,
    ],
  ])('%s is a failed call that says so, and opens no run', async (_which, agents, words) => {
    const { came, harness, spend } = await handedTo(agents);
    expect(came).toEqual([{ output: expect.stringMatching(words), failed: true }]);
    expect(await harness.log.runs()).toHaveLength(1);
    expect(spend).toMatchObject({ steps: 2, inputTokens: 200 });
  });
});

describe('money', () => {
  const price = { inputPerMillion: 1, outputPerMillion: 1, source: 'a test' };
  const played = async (known: readonly string[]) => {
    const asked: ModelRequest[] = [];
    const harness = createHarness({
      agents: () => ({ kind: 'agent', agent: { model: 'acme/large' } }),
      services: { priceOf: async (name) => (known.includes(name) ? price : null) },
      model: byTask({
        'Do it.': (request) => (
          asked.push(request),
          firstly({ calls: [delegateCall('Look', { agent: 'Scout' })] })(request)
        ),
      }),
    });
    await harness.play({ ...delegating, maxCost: 1 });
    return { runs: await harness.log.runs(), log: harness.log, came: comeBack(asked.at(-1) as ModelRequest) };
  };

  test('an agent whose model has no known price is handed nothing where money is limited', async () => {
    const { runs, came } = await played(['default']);
    expect(runs).toHaveLength(1);
    expect(came).toEqual([
      { output: expect.stringMatching(/^the agent Scout: .*the price of acme\/large is unknown/), failed: true },
    ]);
  });

  test('one whose model has one works with it, within its share of the money', async () => {
    const { runs, log } = await played(['default', 'acme/large']);
    expect((await history(log, runs[1]?.run ?? ''))[0]).toMatchObject({
      payload: {
        settings: { model: 'acme/large', prices: { 'acme/large': price }, limits: { maxCostNanoUsd: 500_000_000 } },
      },
    });
  });
});
