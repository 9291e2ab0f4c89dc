import { expect, test } from 'vitest';
import { rebuild } from '../../src/runtime/load-run.ts';
import { lifeOf } from '../../src/kernel/fold.ts';
import { REFUSED_BY_BUDGET } from '../../src/budget/admit.ts';
import { sentinelOf } from '../../src/strategies/sentinel.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { createHarness } from '../support/harness.ts';
import { ended, history } from '../support/run-history.ts';
import { note, tool, untilStopped, verdicts } from '../support/stand-ins.ts';

/** As many calls as asked for, each unlike any other. */
const calls = (step: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({ tool: 'note', arguments: { step, index } }));

test('T6 calls beyond the budget are refused, the step finishes, and nothing overshoots', async () => {
  const { play } = createHarness({ tools: [note], model: ({ step }) => ({ calls: calls(step, 3) }) });
  const { outcome, facts, spend } = await play({ maxToolCalls: 5 });
  expect(outcome).toEqual({ ending: 'budget', limit: { name: 'tool_calls', used: 5, limit: 5 } });
  expect(spend.toolCalls).toBe(5);
  expect(facts.filter(({ type }) => type === 'tool.completed')).toHaveLength(5);
  const admissions = facts.filter((fact) => fact.type === 'calls.admitted').map(({ payload }) => payload);
  expect(admissions.map(({ run }) => run.length)).toEqual([3, 2]);
  expect(admissions[1]?.refused).toEqual([{ callId: '1.2', reason: REFUSED_BY_BUDGET }]);
});

test('T6 the budget is fifty calls by default', async () => {
  const { play } = createHarness({ tools: [note], model: ({ step }) => ({ calls: calls(step, 7) }) });
  const { outcome } = await play({ detectors: ['off'] });
  expect(outcome).toEqual({ ending: 'budget', limit: { name: 'tool_calls', used: 50, limit: 50 } });
});

test('T6 a model that continues with more budget sees which of its calls were refused', async () => {
  const heard: unknown[] = [];
  const { play, extend } = createHarness({
    tools: [note],
    model: ({ step, messages }) => {
      heard.push(...messages.filter((message) => message.role === 'tool' && message.failed));
      return step === 0 ? { calls: calls(step, 3) } : { text: 'done' };
    },
  });
  const { run } = await play({ maxToolCalls: 2 });
  const { outcome } = await ended(await extend(run, { limits: { maxToolCalls: 4 } }));
  expect(outcome.ending).toBe('success');
  expect(heard).toEqual([{ role: 'tool', callId: '0.2', tool: 'note', output: REFUSED_BY_BUDGET, failed: true }]);
});

test('T7 D0 three identical calls in a row end the run in doom_loop, with their answers as evidence', async () => {
  const { play } = createHarness({
    tools: [note],
    model: {
      answers: [
        { calls: [{ tool: 'note', arguments: { a: 1, b: 2 } }] },
        { calls: [{ tool: 'note', arguments: { b: 2, a: 1 } }], repeat: 9 },
      ],
    },
  });
  const { run, outcome, facts } = await play();
  const answers = facts.filter(({ type }) => type === 'model.completed').map(({ version }) => `${run}/${version}`);
  expect(answers).toHaveLength(3);
  expect(outcome).toMatchObject({
    ending: 'doom_loop',
    finding: { detector: 'identical-calls', count: 3, evidence: answers },
  });
});

test('T7 D0 another call in between starts the count anew', async () => {
  const same = { calls: [{ tool: 'note', arguments: {} }], repeat: 2 };
  const { play } = createHarness({
    tools: [note],
    model: { answers: [same, { calls: [{ tool: 'note', arguments: { other: 1 } }] }, same, { text: 'done' }] },
  });
  expect((await play()).outcome.ending).toBe('success');
});

const cappedEndings: readonly (readonly [string, () => ReturnType<typeof capped>, RegExp])[] = [
  ['steps', () => capped({ maxSteps: 2 }), /^step limit reached \(2\/2\)/],
  ['tool calls', () => capped({ maxToolCalls: 2 }), /^tool budget exhausted \(2\/2\)/],
  ['tokens', () => capped({ maxTokens: 1 }), /^token budget exhausted \(0\/1; the next call needs about \d+\)/],
  ['repetition', () => capped({}, true), /^the same call 3 times: note \{\}/],
  [
    'iterations',
    () => capped({ loop: 'iteration', checks: ['false'], maxIterations: 2 }),
    /^iteration limit reached \(2\/2\)/,
  ],
  ['wall time', () => late(), /^time limit reached \(1m\)/],
];

test.each(cappedEndings)('T12 an ending by %s says which limit was hit, as data and text', async (_name, run, text) => {
  const { log, run: id, outcome } = await run();
  const sentinel = sentinelOf(outcome);
  expect(sentinel?.text).toMatch(text);
  expect(sentinel?.limit ?? sentinel?.finding).not.toBeNull();
  const facts = await history(log, id);
  const decision = facts.findLast((fact) => fact.type === 'decision.made');
  expect(decision?.payload.reason).toMatch(text);
  expect(decision?.payload.sink).toEqual(outcome);
  const summary = facts.find((fact) => fact.type === 'summary.written');
  expect(summary?.payload.text).toMatch(text);
});

async function capped(asked: object, isRepeating = false) {
  const harness = createHarness({
    tools: [note],
    services: { verify: verdicts(false) },
    model: ({ step, run }) =>
      'loop' in asked
        ? { text: `done in ${run}` }
        : {
            calls: [{ tool: 'note', arguments: isRepeating ? {} : { step } }],
          },
  });
  const { run, outcome } = await harness.play(asked);
  return { log: harness.log, run, outcome };
}

async function late() {
  const clock = fakeClock();
  const harness = createHarness({
    clock,
    tools: [untilStopped('slow')],
    model: { answers: [{ calls: [{ tool: 'slow' }] }] },
  });
  const { run, observer, ...live } = await harness.start({ maxTime: '1m' });
  await observer.untilDelta(({ text }) => text === 'slow');
  clock.advance(60_000);
  return { log: harness.log, run, outcome: (await ended(live)).outcome };
}

test('endings take precedence: abort, success, cap_hit, doom_loop, budget', async () => {
  const clock = fakeClock();
  const same = { tool: 'slow', arguments: {} };
  const finish = { tool: 'finish', arguments: { answer: 'done' } };
  /** In the third step everything that is left of the list becomes true at once. */
  const endingOf = async (left: readonly string[]) => {
    const reached = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const slow = tool('slow', async ({ wait }, { callId }) => {
      if (wait === undefined && callId.startsWith('2.')) {
        reached.resolve();
        await goOn.promise;
      }
      return { output: 'ok' };
    });
    const { start } = createHarness({
      clock,
      tools: [slow],
      model: ({ step }) => {
        const last = [
          ...(left.includes('success') ? [finish] : []),
          ...(left.includes('doom_loop') ? [same] : [{ ...same, arguments: { step } }]),
        ];
        return { calls: step < 2 ? [left.includes('doom_loop') ? same : { ...same, arguments: { step } }] : last };
      },
    });
    const { abort, observer, ...live } = await start({
      maxSteps: left.includes('cap_hit') ? 3 : 10,
      maxToolCalls: left.includes('success') ? 4 : 3,
    });
    await reached.promise;
    const aborted = left.includes('abort') ? abort('enough') : Promise.resolve();
    if (left.includes('abort')) await observer.until('abort.requested');
    goOn.resolve();
    await aborted;
    return (await ended(live)).outcome.ending;
  };
  const order = ['abort', 'success', 'cap_hit', 'doom_loop', 'budget'];
  for (const [index, expected] of order.entries()) expect(await endingOf(order.slice(index))).toBe(expected);
});

test('an ended run takes nothing more, and its log says how it was closed', async () => {
  const { log, play, supervisor } = createHarness({ model: { answers: [{ text: 'done' }] } });
  const { run, facts } = await play();
  expect(await log.run(run)).toMatchObject({ closed: 'success', version: facts.length });
  expect(await supervisor.abort(run)).toEqual({ kind: 'rejected', reason: 'the run has ended' });
  expect(await supervisor.resume(run)).toMatchObject({ kind: 'over', outcome: { ending: 'success' } });
  expect((await history(log, run)).length).toBe(facts.length);
  expect(await log.verify(run)).toMatchObject({ kind: 'intact', version: facts.length });
});

test('what is pending in a state is what the log still owes, at every version', async () => {
  const { log, play } = createHarness({
    tools: [note],
    model: { answers: [{ calls: calls(0, 3) }, { calls: calls(1, 2) }, { text: 'done' }] },
  });
  const { run, facts } = await play();
  for (const { version } of facts) {
    const rebuilt = await rebuild(log, run, version);
    if (rebuilt.kind !== 'loaded') throw new Error(rebuilt.kind);
    const owing = Object.keys(lifeOf(rebuilt.state).pending);
    const outstanding = rebuilt.state.outstanding.map(({ key }) => key);
    expect(owing.filter((key) => !outstanding.includes(key))).toEqual([]);
    expect(outstanding.filter((key) => key.startsWith('call.')).toSorted()).toEqual(
      owing.filter((key) => key.startsWith('call.')).toSorted(),
    );
  }
});
