import { firstValueFrom, toArray } from 'rxjs';
import { expect, test } from 'vitest';
import { fc } from '../../support/fast-check.ts';
import { tenthOfMany } from '../../support/tenth.ts';
import type { LoopEvent } from '../../../machines/events.ts';
import { RecordedRuns } from '../../../src/app/records/runs-of-log.ts';
import { memoryLog } from '../../../src/log/sqlite/engine.ts';
import { shippedLoops } from '../../../src/loops/index.ts';
import { improvementEntry } from '../../../machines/index.ts';
import { hasEnded, lifeOf } from '../../../src/kernel/fold.ts';
import type { Fact, TrackerEvent } from '../../../src/kernel/effect-handlers.ts';
import { ImprovementTracker } from '../../../src/loops/improvement/tracker/improvement-tracker.ts';
import { randomRuns } from '../../../src/testing/choices.ts';
import { randomWalk } from '../../../src/testing/random-walk.ts';
import * as is from '../../support/facts.ts';
import * as has from './night-facts.ts';
import { randomNights } from './random-nights.ts';
import { logNight } from './logged-night.ts';
import { sampleNight } from './sample-night.ts';
import { recordedNight } from './recorded-night.ts';

function tracked(facts: readonly Fact[]): readonly TrackerEvent[] {
  const tracker = new ImprovementTracker();
  return facts.flatMap((fact) => tracker.observe(fact));
}

const told = (night: has.Night, ...events: readonly LoopEvent[]) =>
  tracked(recordedNight([has.nightStarted(night), ...events]));

const summed: LoopEvent = { type: 'summary.written', payload: { text: 'over', usage: has.used(7) } };
const ended = [is.decidedToEnd('success'), summed, is.strategyEnded] as const;

const refusedAndKept = [
  is.iterationStarted(0),
  has.discovered(['a', 'b', 'c'], { usage: has.used(10) }),
  has.filtered(['a', 'b'], { usage: has.used(20), refused: 1 }),
  has.experimented('a'),
  has.preparedFor('a'),
  has.settled(300),
  has.built('a'),
  has.evaluated('a', 'tests'),
  has.experimented('b'),
  has.preparedFor('b'),
  has.settled(400),
  has.built('b'),
  has.evaluated('b'),
  has.integrated('b', { usage: has.used(50) }),
] as const;

test('I11 a whole night gives the events of the document, in its order and its shape', () => {
  const phase = { type: 'phase_started', iteration: 1, cost: 0, success: true } as const;
  const events = told(
    { limits: { maxTokens: 5_000_000 } },
    ...refusedAndKept,
    is.iterationStarted(1),
    has.discovered([]),
    ...ended,
  );
  expect(events).toEqual([
    {
      type: 'loop_started',
      iteration: 0,
      phase: 'orchestration',
      cost: 0,
      success: true,
      metadata: {
        config: {
          maxIterations: 10,
          budgetTokens: 5_000_000,
          costTracking: true,
          terminationRules: [
            { type: 'consecutive-failures', value: 3 },
            { type: 'budget-exceeded', value: 1 },
            { type: 'rate-threshold', value: 0.1 },
          ],
          phases: {
            discovery: { enabled: true, model: null },
            filter: { enabled: true, model: null, minRelevanceScore: 0.6 },
            experiment: { enabled: true, model: 'script:answers.json', useBatchAPI: true },
            evaluate: { enabled: true },
            integrate: { enabled: true, requireApproval: false },
          },
        },
      },
    },
    { ...phase, phase: 'discovery', metadata: {} },
    { ...phase, phase: 'filter', metadata: { candidateCount: 3 } },
    { ...phase, phase: 'experiment', metadata: { discoveryId: 'a' } },
    { ...phase, phase: 'evaluate', metadata: { modificationId: 'change-a' } },
    { ...phase, phase: 'experiment', metadata: { discoveryId: 'b' } },
    { ...phase, phase: 'evaluate', metadata: { modificationId: 'change-b' } },
    { ...phase, phase: 'integrate', metadata: { modificationId: 'change-b' } },
    {
      type: 'iteration_completed',
      iteration: 1,
      phase: 'orchestration',
      cost: 780,
      success: true,
      metadata: { resultType: 'improvement-found' },
    },
    { ...phase, iteration: 2, phase: 'discovery', metadata: {} },
    {
      type: 'iteration_completed',
      iteration: 2,
      phase: 'orchestration',
      cost: 7,
      success: false,
      metadata: { resultType: 'no-candidates' },
    },
    {
      type: 'loop_completed',
      iteration: 2,
      phase: 'orchestration',
      cost: 787,
      success: true,
      metadata: { totalIterations: 2, improvements: 1 },
    },
  ]);
});

test('I11 a failed iteration is completed too, once, with its cost', () => {
  const events = told(
    {},
    is.iterationStarted(0),
    has.discovered(['a']),
    has.filtered(['a']),
    has.experimented('a'),
    has.settled(300, is.abortedBy('error', { code: 'provider', message: 'the key is refused' })),
    is.iterationStarted(1),
  );
  expect(events.filter(({ type }) => type === 'iteration_completed')).toEqual([
    {
      type: 'iteration_completed',
      iteration: 1,
      phase: 'orchestration',
      cost: 300,
      success: false,
      metadata: { resultType: 'error' },
    },
  ]);
});

test('I15 a budget without room for the first iteration is told as one that exceeded it', () => {
  expect(told({}, is.decidedToEnd('budget'), is.strategyEnded).slice(1)).toEqual([
    {
      type: 'iteration_completed',
      iteration: 1,
      phase: 'orchestration',
      cost: 0,
      success: false,
      metadata: { resultType: 'budget-exceeded' },
    },
    {
      type: 'loop_completed',
      iteration: 1,
      phase: 'orchestration',
      cost: 0,
      success: false,
      metadata: { totalIterations: 1, improvements: 0 },
    },
  ]);
});

test('I11 phases that are disabled, cut short or begun again are told as they are', () => {
  const phases = (options: has.Night['options'], ...events: readonly LoopEvent[]) =>
    told({ options: options ?? {} }, ...events)
      .filter(({ type }) => type === 'phase_started')
      .map(({ phase }) => phase);
  expect(
    phases({ phases: { discovery: { enabled: false }, evaluate: { enabled: false } } }, ...refusedAndKept),
  ).toEqual(['filter', 'experiment', 'experiment', 'integrate']);
  expect(phases({}, is.iterationStarted(0), is.abortRequested(), has.discovered(['a']))).toEqual(['discovery']);
  const evaluatedTwice = [
    is.iterationStarted(0),
    has.discovered(['a']),
    has.filtered(['a']),
    has.experimented('a'),
    has.settled(1),
    has.built('a'),
    { type: 'evaluation.interrupted', payload: { reason: 'a crash' } },
    has.built('a'),
  ] as const;
  expect(phases({}, ...evaluatedTwice)).toEqual(['discovery', 'filter', 'experiment', 'evaluate']);
});

test('I11 every iteration of every random run is completed once, and their costs are the cost of the loop', () => {
  let loops = 0;
  const draw = fc.property(randomRuns(randomNights), ({ opening, choices }) => {
    const started = randomNights.openings[opening];
    if (!started) throw new Error(`no opening ${opening}`);
    const walk = randomWalk(improvementEntry, randomNights, started, choices);
    const events = tracked([walk.started, ...walk.happenings.map(({ event }) => event)] as unknown as Fact[]);
    const completed = events.filter(({ type }) => type === 'iteration_completed');
    expect(completed.map(({ iteration }) => iteration)).toEqual(completed.map((_, index) => index + 1));
    expect(events.filter(({ type }) => type === 'loop_completed')).toHaveLength(hasEnded(walk.last) ? 1 : 0);
    if (!hasEnded(walk.last)) return;
    loops += 1;
    const last = events.at(-1);
    const { spend } = lifeOf(walk.last);
    expect(last).toMatchObject({ type: 'loop_completed', cost: spend.inputTokens + spend.outputTokens });
    if (completed.length > 0) expect(completed.reduce((sum, { cost }) => sum + cost, 0)).toBe(last?.cost);
  });
  fc.assert(draw, { numRuns: tenthOfMany(3_000) });
  expect(loops).toBeGreaterThan(20);
});

test('I11 the events are an observable that completes with the run, the same for each subscriber', async () => {
  const log = memoryLog();
  await logNight(log, 'night', sampleNight());
  const recorded = new RecordedRuns({ log, definitions: shippedLoops });
  const events = recorded.tracker('night');
  const [first, second] = await Promise.all([events, events].map((one) => firstValueFrom(one.pipe(toArray()))));
  expect(first).toEqual(tracked(recordedNight(sampleNight())));
  expect(second).toEqual(first);
});
