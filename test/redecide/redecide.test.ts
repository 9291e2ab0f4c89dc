import { describe, expect, test } from 'vitest';
import { builtInNames, type OtherJudge } from '../../src/redecide/other-judge.ts';
import { redecide } from '../../src/redecide/redecide-run.ts';
import { redecideTree } from '../../src/redecide/redecide-tree.ts';
import type { LoopStrategy } from '../../src/strategies/strategy.ts';
import { byTask, delegating, firstly, delegateCall } from '../support/delegation.ts';
import { createHarness } from '../support/harness.ts';
import { note, verdicts } from '../support/stand-ins.ts';
import { factsOf } from './recorded.ts';

const usage = {
  inputTokens: 100,
  outputTokens: 10,
  cost: { nanoUsd: 5, price: { inputPerMillion: 1, outputPerMillion: 1, source: 'test' } },
};

/** Ten steps, a call each: all alike, or no two. */
async function turnOf(n: number, detectors: string, argumentsOf: (step: number) => { [name: string]: number }) {
  const harness = createHarness({
    tools: [note],
    model: ({ step }) =>
      step < n ? { calls: [{ tool: 'note', arguments: argumentsOf(step) }], usage } : { text: 'done', usage },
  });
  const { run } = await harness.play({ detectors: [{ name: detectors, config: { threshold: 9 } }] });
  return { ...harness, run, facts: await factsOf(harness.log, run) };
}

const later = (decide: LoopStrategy['onIterationComplete']): LoopStrategy => ({
  name: 'later',
  onIterationComplete: decide,
});

async function loop(checks: readonly boolean[], options: object = {}) {
  const harness = createHarness({
    services: { verify: verdicts(...checks) },
    model: ({ iteration }) => ({ text: `try ${iteration}`, usage }),
  });
  const { run } = await harness.play({ checks: ['npm test'], maxIterations: 4, ...options });
  const judge = (other: OtherJudge) => redecideTree(harness.log, run, other, builtInNames());
  return { ...harness, run, facts: await factsOf(harness.log, run), judge };
}

test('facts of a loop alone say nothing of its attempts, and name them: a tree of runs has them judged', async () => {
  const harness = createHarness({
    tools: [note],
    services: { verify: verdicts(false, false) },
    model: ({ step }) =>
      step < 5 ? { calls: [{ tool: 'note', arguments: { n: 1 } }], usage } : { text: 'done', usage },
  });
  const detectors = [{ name: 'identical-calls', config: { threshold: 9 } }];
  const { run } = await harness.play({ loop: 'iteration', checks: ['npm test'], maxIterations: 2, detectors });
  const other: OtherJudge = { detectors: [{ name: 'identical-calls', config: { threshold: 3 } }] };
  const attempts = (await harness.log.runs()).flatMap(({ run: id, root }) => (root === run && id !== run ? [id] : []));

  const alone = await redecide(await factsOf(harness.log, run), other);
  const tree = await redecideTree(harness.log, run, other, builtInNames());

  expect(alone).toMatchObject({ conclusion: 'agrees', children: attempts });
  expect(tree).toMatchObject({ conclusion: 'stops_earlier', turn: { run: attempts[0], verdict: 'doom_loop' } });
});

describe('another judge over the facts of a turn', () => {
  test('one that stops earlier: where, why, and what was used after it', async () => {
    const { facts } = await turnOf(6, 'identical-calls', () => ({ n: 1 }));
    const judged = await redecide(facts, { detectors: [{ name: 'identical-calls', config: { threshold: 3 } }] });
    expect(judged).toMatchObject({
      conclusion: 'stops_earlier',
      turn: { after: 3, verdict: 'doom_loop' },
      isOpen: false,
    });
    expect(judged.differsFrom).toBe(judged.turn?.version);
    expect(judged.saved).toMatchObject({ steps: 4, toolCalls: 3, tokens: 440, costNanoUsd: 20, iterations: 0 });
    const then = judged.redecisions.find(({ agrees }) => !agrees);
    expect(then?.other).toMatchObject({
      action: 'stop',
      sink: { ending: 'doom_loop', finding: { evidence: expect.arrayContaining([expect.any(String)]) } },
    });
  });

  test('one that only says more: the verdicts agree, and from there on nothing is known', async () => {
    const { facts } = await turnOf(4, 'identical-calls', () => ({ n: 1 }));
    const judged = await redecide(facts, { detectors: ['soft-hard'] });
    expect(judged).toMatchObject({ conclusion: 'agrees', turn: null, isOpen: true, saved: null });
    const first = judged.redecisions.find(({ leadsToTheSame }) => !leadsToTheSame);
    expect(first).toMatchObject({ version: judged.differsFrom, agrees: true, isSame: false });
  });

  test('one that refuses calls: which, and that later facts are not its own', async () => {
    const harness = createHarness({
      tools: [note],
      model: ({ step }) =>
        step === 0 ? { calls: [1, 1, 1, 1].map((n) => ({ tool: 'note', arguments: { n } })) } : { text: 'done' },
    });
    const { run } = await harness.play({ detectors: [{ name: 'identical-calls', config: { threshold: 9 } }] });
    const judged = await redecide(await factsOf(harness.log, run), { limits: { maxToolCalls: 2 } });
    const admission = judged.redecisions.find(({ kind }) => kind === 'admission');
    expect(admission).toMatchObject({ agrees: false, other: { refused: [{ callId: '0.2' }, { callId: '0.3' }] } });
    expect(judged).toMatchObject({ differsFrom: admission?.version, isOpen: true });
  });

  test.each([
    ['steps', { maxSteps: 2 }, 'cap_hit'],
    ['tool calls', { maxToolCalls: 2 }, 'budget'],
    ['tokens', { maxTokens: 220 }, 'budget'],
    ['money', { maxCostNanoUsd: 10 }, 'budget'],
  ])('a smaller limit on %s ends it there', async (_name, limits, verdict) => {
    const { facts } = await turnOf(5, 'identical-calls', (n) => ({ n }));
    const judged = await redecide(facts, { limits });
    expect(judged).toMatchObject({ conclusion: 'stops_earlier', turn: { verdict } });
    expect(judged.turn?.after).toBeLessThanOrEqual(2);
  });

  test('a larger limit goes on where the recording ended: beyond it nothing is known', async () => {
    const harness = createHarness({
      tools: [note],
      model: ({ step }) => ({ calls: [{ tool: 'note', arguments: { step } }] }),
    });
    const { run } = await harness.play({ maxSteps: 3 });
    const judged = await redecide(await factsOf(harness.log, run), { limits: { maxSteps: 9 } });
    expect(judged).toMatchObject({
      conclusion: 'goes_on',
      turn: { after: 3, verdict: 'go on' },
      isOpen: true,
      saved: null,
    });
  });
});

test('a delegated run keeps its share under another budget of its delegator', async () => {
  const model = byTask({
    'Do it.': firstly({ calls: [delegateCall('part')] }),
    part: firstly({ calls: [{ tool: 'note' }] }),
  });
  const harness = createHarness({ tools: [note], model });
  const { run } = await harness.play({ ...delegating, maxTokens: 20_000 });
  const judge = (maxTokens: number) => redecideTree(harness.log, run, { limits: { maxTokens } }, builtInNames());
  const below = async (maxTokens: number) =>
    (await judge(maxTokens)).below.map(({ redecided }) => redecided.conclusion);
  expect(await below(20_000)).toEqual(['agrees']);
  expect(await below(300)).toEqual(['agrees']);
  expect(await judge(300)).toMatchObject({ redecided: { conclusion: 'stops_earlier' } });
});

describe('another judge over the facts of a loop', () => {
  test('an asynchronous strategy of the caller, which gets its own metadata back', async () => {
    const { facts } = await loop([false]);
    const heard: unknown[] = [];
    const strategy = later(async ({ iteration, previousIterations }) => {
      heard.push(previousIterations.map(({ metadata }) => metadata));
      await new Promise((resolve) => setImmediate(resolve));
      return { continue: iteration < 1, reason: 'mine', metadata: { mine: iteration } };
    });
    const judged = await redecide(facts, { strategy });
    expect(judged).toMatchObject({
      conclusion: 'stops_earlier',
      turn: { after: 2, verdict: 'doom_loop' },
      saved: { iterations: 2 },
    });
    expect(heard.slice(0, 3)).toEqual([[], [{ mine: 0 }], [{ mine: 0 }, { mine: 1 }]]);
  });

  test('a strategy that throws would have ended the run by an error', async () => {
    const { facts } = await loop([false]);
    const judged = await redecide(facts, { strategy: later(() => Promise.reject(new Error('no idea'))) });
    expect(judged).toMatchObject({ conclusion: 'stops_earlier', turn: { after: 1, verdict: 'abort (error)' } });
  });

  test('a default number of iterations goes with its strategy; a configured one stays', async () => {
    const untold = await loop([false], { maxIterations: undefined });
    expect(await redecide(untold.facts, { strategy: { name: 'ralph', config: {} } })).toMatchObject({
      conclusion: expect.stringMatching(/goes_on|stops_earlier|ends_otherwise/),
    });
    const told = await loop([false, false, false, true], { maxIterations: 5 });
    const judged = await redecide(told.facts, {
      strategy: { name: 'fixed', config: {} },
      limits: { maxIterations: 2 },
    });
    expect(judged).toMatchObject({
      conclusion: 'stops_earlier',
      turn: { after: 2, verdict: 'cap_hit' },
      saved: { iterations: 2 },
    });
  });

  test('the savings of its attempts add up, and later attempts of an ended loop are not counted twice', async () => {
    const harness = createHarness({
      tools: [note],
      services: { verify: verdicts(false) },
      model: ({ step }) =>
        step < 4 ? { calls: [{ tool: 'note', arguments: { step } }], usage } : { text: 'done', usage },
    });
    const { run } = await harness.play({ checks: ['npm test'], maxIterations: 3, strategy: 'fixed' });
    const judge = (other: OtherJudge) => redecideTree(harness.log, run, other, builtInNames());
    const attempts = await judge({ limits: { maxSteps: 2 } });
    expect(attempts).toMatchObject({
      conclusion: 'stops_earlier',
      isOpen: true,
      saved: { steps: 9, tokens: 990, iterations: 0 },
    });
    expect(attempts.turn?.run).toBe(attempts.below[0]?.redecided.run);
    const both = await judge({ limits: { maxSteps: 2, maxIterations: 1 } });
    expect(both.saved).toMatchObject({ iterations: 2, steps: 3 + 10 });
    expect(await judge({ limits: { maxIterations: 1 } })).toMatchObject({
      isOpen: false,
      saved: { iterations: 2, steps: 10 },
    });
  });
});

test('facts that are those of no run are refused in words', async () => {
  await expect(redecide([])).rejects.toThrow(/expected run.started first, found nothing/);
  const { facts } = await turnOf(2, 'identical-calls', (n) => ({ n }));
  await expect(redecide(facts.slice(1))).rejects.toThrow(/expected run.started first, found decision.made/);
  await expect(redecide([...facts.slice(0, 2), ...facts.slice(3)])).rejects.toThrow(/version 4 follows version 2/);
});
