import { expect, test } from 'vitest';
import { fc } from '../../support/fast-check.ts';
import { tenthOfMany } from '../../support/tenth.ts';
import type { LoopEvent } from '../../../machines/events.ts';
import type { ImprovementContext } from '../../../machines/improvement-progress.ts';
import { improvementEntry } from '../../../machines/index.ts';
import { lifeOf } from '../../../src/kernel/fold.ts';
import type { Fact } from '../../../src/kernel/effect-handlers.ts';
import { ImprovementHistory } from '../../../src/loops/improvement/history/improvement-history.ts';
import { NO_COSTS, PHASE_NAMES, type PhaseCosts } from '../../../src/loops/improvement/history/iteration-result.ts';
import { randomRuns } from '../../../src/testing/choices.ts';
import { randomWalk } from '../../../src/testing/random-walk.ts';
import * as is from '../../support/facts.ts';
import * as has from './night-facts.ts';
import { randomNights } from './random-nights.ts';
import { recordedNight } from './recorded-night.ts';

const sumOf = (costs: PhaseCosts) => PHASE_NAMES.reduce((sum, phase) => sum + costs[phase], 0);

function historyOf(...events: readonly LoopEvent[]): ImprovementHistory {
  const history = new ImprovementHistory();
  for (const fact of recordedNight([has.nightStarted(), ...events])) history.observe(fact);
  return history;
}

/** Folds random runs, and calls back with each as it ends. */
function nights(told: (night: { history: ImprovementHistory; last: ImprovementContext; facts: Fact[] }) => void): void {
  const draw = fc.property(randomRuns(randomNights), ({ opening, choices }) => {
    const started = randomNights.openings[opening];
    if (!started) throw new Error(`no opening ${opening}`);
    const walk = randomWalk(improvementEntry, randomNights, started, choices);
    const facts = [walk.started, ...walk.happenings.map(({ event }) => event)] as unknown as Fact[];
    const history = new ImprovementHistory();
    for (const fact of facts) history.observe(fact);
    told({ history, last: lifeOf(walk.last) as ImprovementContext, facts });
  });
  fc.assert(draw, { numRuns: tenthOfMany(3_000) });
}

test('I4 the costs of the phases add up to what the run counts, whatever fails or is interrupted', () => {
  const seen = new Set<string>();
  nights(({ history, last: { spend }, facts }) => {
    const { cost, costNanoUsd } = history.spent;
    expect(cost.total).toBe(spend.inputTokens + spend.outputTokens);
    expect(costNanoUsd?.total).toBe(spend.costNanoUsd);
    const iterations = history.iterations();
    for (const one of [history.spent, ...iterations]) {
      expect(sumOf(one.cost)).toBe(one.cost.total);
      if (one.costNanoUsd) expect(sumOf(one.costNanoUsd)).toBe(one.costNanoUsd.total);
    }
    const counted = iterations.reduce((sum, one) => sum + one.cost.total, 0);
    expect(counted).toBeLessThanOrEqual(cost.total);
    if (history.begun > 0 && iterations.length === history.begun) expect(counted).toBe(cost.total);
    for (const { type } of [...facts, ...iterations]) seen.add(type);
  });
  const types = ['improvement-found', 'no-candidates', 'no-improvements', 'budget-exceeded', 'error'];
  expect([...seen]).toEqual(expect.arrayContaining([...types, 'timer.fired', 'summary.written', 'effect.interrupted']));
});

test('I3 I8 an iteration has come to what the machine says, in every random run', () => {
  nights(({ history, last: { iterations, improvements, result, outcome } }) => {
    const hasNoRoom = iterations === 0 && outcome?.ending === 'budget';
    const begun = hasNoRoom ? 1 : iterations;
    expect(history.begun).toBe(begun);
    expect(history.stats().improvements).toBe(improvements);
    const isOver = result !== null || outcome !== null;
    expect(history.iterations()).toHaveLength(isOver || iterations === 0 ? begun : iterations - 1);
    if (result) expect(history.iterations().at(-1)?.type).toBe(result.type);
  });
});

const twoAtOnce = [
  is.iterationStarted(0),
  has.discovered(['a', 'b']),
  has.filtered(['a', 'b']),
  has.experimented('a'),
  has.experimented('b'),
  has.preparedFor('a'),
];
const broken = is.abortedBy('error', { code: 'broken', message: 'the provider broke' });

test('I3 I8 an error behind the first ends no iteration that is stopped before it is its turn', () => {
  const night = [...twoAtOnce, has.preparedFor('b'), has.settled(1, broken, 0, 'b'), is.timerFired('deadline')];
  expect(historyOf(...night).iterations()).toEqual([]);
  const ended = historyOf(...night, has.settled(1, is.outcomeOf('abort'), 0, 'a'), is.decidedToEnd('budget'));
  expect(ended.iterations()).toMatchObject([{ type: 'budget-exceeded' }]);
});

test('I3 I8 an error of the first ends its iteration once the others have their worktrees', () => {
  const night = [...twoAtOnce, has.settled(1, broken, 0, 'a')];
  expect(historyOf(...night).iterations()).toEqual([]);
  expect(historyOf(...night, is.timerFired('deadline'), is.decidedToEnd('budget')).iterations()).toMatchObject([
    { type: 'budget-exceeded' },
  ]);
  const refused = { type: 'experiment.refused', payload: { candidate: 'b', fault: null } } as unknown as LoopEvent;
  for (const over of [has.preparedFor('b'), refused])
    expect(historyOf(...night, over).iterations()).toMatchObject([{ type: 'error', error: 'the provider broke' }]);
});

test('I4 every phase has the tokens and the money of its own events', () => {
  const history = historyOf(
    is.iterationStarted(0),
    { type: 'discovery.interrupted', payload: { reason: 'lost', usage: has.used(1) } },
    has.discovered(['a', 'b'], { usage: has.used(2, 10) }),
    { type: 'filter.interrupted', payload: { reason: 'lost', usage: has.used(4) } },
    has.filtered(['a', 'b'], { usage: has.used(8) }),
    has.experimented('a'),
    { type: 'plans.interrupted', payload: { reason: 'lost', usage: has.used(16) } },
    has.planned(['a', 'b'], has.used(32, 20)),
    has.preparedFor('a'),
    { type: 'effect.interrupted', payload: { actor: 'agent', lane: 'a', reason: 'lost', usage: has.used(64) } },
    has.experimented('b'),
    has.preparedFor('b'),
    has.settled(128, is.outcomeOf('success'), 40),
    { type: 'evaluation.interrupted', payload: { reason: 'lost', usage: has.used(256) } },
    has.built('b'),
    has.evaluated('b', null, { usage: has.used(512, 80) }),
    { type: 'integration.interrupted', payload: { reason: 'lost', usage: has.used(1024) } },
    has.integrated('b', { usage: has.used(2048) }),
  );
  const [only] = history.iterations();
  expect(only?.cost).toEqual({
    discovery: 3,
    filter: 12,
    experiment: 240,
    evaluate: 768,
    integrate: 3072,
    total: 4095,
  });
  expect(only?.costNanoUsd).toEqual({
    discovery: 10,
    filter: 0,
    experiment: 60,
    evaluate: 80,
    integrate: 0,
    total: 150,
  });
});

test('I4 what is given up when an abort has no more patience counts in the phase that was under way', () => {
  const lost = has.used(100);
  const abortedIn = (...events: readonly LoopEvent[]) =>
    historyOf(is.iterationStarted(0), ...events, is.abortRequested(), {
      type: 'timer.fired',
      payload: { timer: 'grace', usage: lost },
    }).spent.cost;
  expect(abortedIn()).toMatchObject({ discovery: 100, total: 100 });
  expect(abortedIn(has.discovered(['a']))).toMatchObject({ filter: 100, total: 100 });
  const until = [has.discovered(['a']), has.filtered(['a']), has.experimented('a'), has.preparedFor('a')];
  expect(abortedIn(...until)).toMatchObject({ experiment: 100, total: 100 });
  expect(abortedIn(...until, has.settled(1))).toMatchObject({ evaluate: 100, total: 101 });
  expect(abortedIn(...until, has.settled(1), has.evaluated('a'))).toMatchObject({ integrate: 100, total: 101 });
});

test('I4 an iteration that failed keeps its cost, and says why', () => {
  const fault = { code: 'provider', message: 'the key is refused' };
  const history = historyOf(
    is.iterationStarted(0),
    has.discovered(['a'], { usage: has.used(20) }),
    has.filtered(['a']),
    has.experimented('a'),
    has.preparedFor('a'),
    has.settled(300, is.abortedBy('error', fault)),
  );
  expect(history.iterations()).toMatchObject([
    {
      iterationNumber: 1,
      type: 'error',
      error: 'the key is refused',
      cost: { discovery: 20, experiment: 300, total: 320 },
    },
  ]);
});

test('I3 an experiment whose model gave no answer is evaluated like any other', () => {
  const noAnswer = is.abortedBy('error', { code: 'answer-cut', message: 'cut off' });
  const history = historyOf(
    is.iterationStarted(0),
    has.discovered(['a']),
    has.filtered(['a']),
    has.experimented('a'),
    has.preparedFor('a'),
    has.settled(300, noAnswer),
    has.built('a'),
    has.evaluated('a'),
    has.integrated('a'),
  );
  expect(history.iterations()).toMatchObject([{ type: 'improvement-found' }]);
});

test('I3 candidates that are left when the budget ends make the iteration one that exceeded it', () => {
  const tried = [
    is.iterationStarted(0),
    has.discovered(['a', 'b']),
    has.filtered(['a', 'b']),
    has.experimented('a'),
    has.preparedFor('a'),
    has.settled(300),
    has.evaluated('a', 'tests'),
  ];
  const typesAfter = (...events: readonly LoopEvent[]) =>
    historyOf(...tried, ...events)
      .iterations()
      .map(({ type }) => type);
  expect(typesAfter()).toEqual([]);
  expect(typesAfter(is.decidedToEnd('budget'))).toEqual(['budget-exceeded']);
  expect(typesAfter(is.abortRequested('user', 'enough'), is.decidedToEnd('abort'))).toEqual(['error']);
  expect(typesAfter(has.experimented('b'), has.settled(1), has.evaluated('b', 'tests'))).toEqual(['no-improvements']);
});

test('I8 the iterations, their statistics and the modification that was kept', () => {
  const history = historyOf(
    is.iterationStarted(0),
    has.discovered(['a'], { usage: has.used(10) }),
    has.filtered(['a']),
    is.decidedToGoOn,
    has.experimented('a'),
    has.preparedFor('a'),
    has.settled(90),
    is.resumed(2_000),
    has.built('a', { changed: [{ path: 'src/a.ts', added: 1, removed: 0 }] }),
    has.evaluated('a'),
    has.integrated('a'),
    is.decidedToGoOn,
    is.iterationStarted(1),
    has.discovered([]),
    is.decidedToEnd('success'),
    { type: 'summary.written', payload: { text: 'over', usage: has.used(7) } },
  );
  expect(history.iterations()).toEqual([
    {
      iterationNumber: 1,
      type: 'improvement-found',
      cost: { discovery: 10, filter: 0, experiment: 90, evaluate: 0, integrate: 0, total: 100 },
      modification: { id: 'change-a', type: 'improvement', files: ['src/a.ts'], base: 'tree-0', tree: 'tree-a' },
      duration: 8_000,
      timestamp: '2026-03-01T22:00:11.000Z',
    },
    {
      iterationNumber: 2,
      type: 'no-candidates',
      cost: { discovery: 0, filter: 0, experiment: 0, evaluate: 0, integrate: 7, total: 7 },
      duration: 1_000,
      timestamp: '2026-03-01T22:00:14.000Z',
    },
  ]);
  expect(history.stats()).toEqual({ iterations: 2, improvements: 1, totalCost: 107, improvementRate: 0.5 });
});

const summary: LoopEvent = { type: 'summary.written', payload: { text: 'over', usage: has.used(7) } };

test('I8 a run without iterations has no rate, and counts its summary', () => {
  const history = historyOf(is.decidedToEnd('abort'), summary);
  expect(history.iterations()).toEqual([]);
  expect(history.stats()).toEqual({ iterations: 0, improvements: 0, totalCost: 7, improvementRate: 0 });
});

test('I15 a run whose budget has no room for the first iteration has one that exceeded it', () => {
  const history = historyOf(is.decidedToEnd('budget'));
  const result = { iterationNumber: 1, type: 'budget-exceeded', duration: 0, timestamp: '2026-03-01T22:00:01.000Z' };
  expect(history.iterations()).toEqual([{ ...result, cost: NO_COSTS }]);
  expect(history.stats()).toEqual({ iterations: 1, improvements: 0, totalCost: 0, improvementRate: 0 });
  // The costs of all iterations are those of the run: the summary is in the last of them, as always.
  const { cost } = historyOf(is.decidedToEnd('budget'), summary).iterations()[0] ?? {};
  expect(cost).toEqual({ ...NO_COSTS, integrate: 7, total: 7 });
});
