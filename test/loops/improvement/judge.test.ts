import { describe, expect, test } from 'vitest';
import type { LoopEvent } from '../../../machines/events.ts';
import type { ImprovementContext } from '../../../machines/improvement-progress.ts';
import type { Limits } from '../../../machines/settings.ts';
import { JudgeMemory } from '../../../src/judging/judge-memory.ts';
import { judged } from '../../../src/judging/judgement.ts';
import type { Decision } from '../../../src/kernel/decision.ts';
import { fold, lifeOf, open } from '../../../src/kernel/fold.ts';
import { improvementLoop } from '../../../src/loops/improvement/definition.ts';
import { FixedStrategy } from '../../../src/strategies/fixed-strategy.ts';
import * as has from '../../support/facts.ts';
import { timeAt } from '../../support/given.ts';
import * as night from '../../support/improvement-answers.ts';

interface Night {
  readonly limits?: Partial<Limits>;
  readonly options?: Record<string, unknown>;
}

const PLAIN = { experiment: { useBatchAPI: false } };

/** What the judge decides after these events, of which decisions to go on are made, and followed, by themselves. */
function decided({ limits = {}, options = {} }: Night, ...events: readonly LoopEvent[]): Decision {
  const beginning = { limits: { maxIterations: 9, maxSteps: null, maxTimeMs: null, ...limits } };
  const started = has.started('improvement', beginning);
  const phases = { ...PLAIN, ...(options['phases'] as object) };
  const settings = { ...started.payload.settings, options: { ...options, phases } as never };
  const first = { ...started, payload: { ...started.payload, settings }, version: 1, at: timeAt(0) };
  const opened = open(first);
  if (opened.kind !== 'opened') throw new Error('no machine');
  const memory = new JudgeMemory('run', settings, () => [], improvementLoop);
  memory.observe({ ...first, run: 'run' });
  let { state } = opened;
  let lane = '';
  const take = (given: LoopEvent): void => {
    if (given.type === 'experiment.started') lane = given.payload.candidate;
    const event = given.type === 'child.settled' ? has.inLane(given, lane) : given;
    const recorded = { ...event, version: state.version + 1, at: timeAt(state.version * 1000) };
    state = fold(state, recorded);
    memory.observe({ ...recorded, run: 'run' });
  };
  const judge = (): Decision => {
    const decision = judged({ run: 'run', settings, state, at: state.at }, memory, new FixedStrategy(3));
    if (!decision) throw new Error('the judge is not asked');
    return decision;
  };
  for (const event of events) {
    while (state.snapshot.matches('decide.judging')) {
      const payload = judge();
      if (payload.action === 'stop') return payload;
      take({ type: 'decision.made', payload });
      const context = lifeOf(state) as ImprovementContext;
      const [candidate] = context.queue;
      const reserved = { tokens: 100, nanoUsd: null };
      take(
        candidate === undefined
          ? has.iterationStarted(context.iterations)
          : { type: 'experiment.started', payload: { candidate, reserved } },
      );
    }
    take(event);
  }
  return judge();
}

const PLANNED: LoopEvent = { type: 'plans.written', payload: { plans: [], by: 'calls' } };
const PASSED = { candidate: 'b', passed: true, tier: null, reason: 'every tier passed', tree: 'tree-2' };

const found = (...ids: string[]): LoopEvent[] => {
  const all = ids.map((id) => night.discovery(id));
  return [night.discovered(all), night.filtered(all)];
};
const tried = (id: string, passed: boolean): LoopEvent[] => [
  night.prepared(id),
  has.attemptSettled(),
  night.built(id),
  night.evaluated(id, passed),
];
const kept = (id: string): LoopEvent[] => [...found(id), ...tried(id, true), night.integrated(id)];
const missed = (id: string): LoopEvent[] => [...found(id), ...tried(id, false)];
const nothing = (canChange: boolean): LoopEvent[] => [night.discovered([], canChange)];
const many = (count: number, events: (id: string) => LoopEvent[]): LoopEvent[] =>
  Array.from({ length: count }, (_, at) => events(`c${at}`)).flat();

const endingOf = ({ sink }: Decision) => sink?.ending ?? 'goes on';
const findingOf = ({ sink }: Decision) => (sink?.ending === 'doom_loop' ? sink.finding : null);

describe('I5 the rules of the judge', () => {
  test('after the last iteration it is a success where something was kept, and else a cap that is hit', () => {
    const limits = { maxIterations: 2 };
    const success = decided({ limits }, ...kept('a'), ...missed('b'));
    expect(endingOf(success)).toBe('success');
    expect(success.reason).toBe('1 improvement kept; 2 iterations are over');
    expect(endingOf(decided({ limits }, ...missed('a'), ...missed('b')))).toBe('cap_hit');
  });

  test('the last iteration goes on to its last candidate', () => {
    const limits = { maxIterations: 1 };
    const decision = decided({ limits }, ...found('a', 'b'), ...tried('a', false));
    expect(decision).toMatchObject({ action: 'continue', reason: '1 candidate left; the next: fix b' });
    expect(endingOf(decided({ limits }, ...found('a', 'b'), ...tried('a', false), ...tried('b', false)))).toBe(
      'cap_hit',
    );
  });

  test('three iterations in a row without an improvement are the end', () => {
    expect(endingOf(decided({}, ...many(2, missed)))).toBe('goes on');
    expect(findingOf(decided({}, ...many(3, missed)))).toMatchObject({
      detector: 'consecutive-failures',
      count: 3,
      message: '3 iterations in a row without an improvement',
    });
  });

  test('I15 with something kept it is a success, whatever ends it, which is the reason', () => {
    const verified = { workspace: 'tree-2', grade: 'witnessed' };
    expect(decided({}, ...kept('z'), ...many(3, missed))).toMatchObject({
      sink: { ending: 'success', verified, partial: false },
      reason: '1 improvement kept; 3 iterations in a row without an improvement',
    });
    const rate = { terminationRules: [{ type: 'rate-threshold', value: 0.5 }] };
    expect(decided({ options: rate }, ...many(2, kept), ...many(3, missed))).toMatchObject({
      sink: { ending: 'success', verified },
      reason: '2 improvements kept; fewer than 0.5 improvements an iteration',
    });
    const limits = { maxTokens: 250 };
    const experiment = { ...PLAIN.experiment, estimateTokens: 110 };
    const phases = { experiment, discovery: { estimateTokens: 0 }, integrate: { estimateTokens: 0 } };
    const spent = decided({ limits, options: { phases } }, ...kept('a'));
    expect(spent).toMatchObject({ sink: { ending: 'success', verified } });
    expect(spent.reason).toMatch(/^1 improvement kept; token budget exhausted/);
  });

  test('I15 an abort keeps its name, and says what was kept', () => {
    const abort = { type: 'abort.requested' as const, payload: { cause: 'user' as const, reason: 'enough' } };
    expect(decided({}, ...kept('z'), ...found('a'), abort)).toMatchObject({
      sink: { ending: 'abort', cause: 'user' },
      reason: expect.stringMatching(/; 1 improvement kept$/),
    });
  });

  test('I15 of several rules of one type the strictest ends it', () => {
    const rules = (type: string, ...values: number[]) => ({
      options: { witnesses: true, terminationRules: values.map((value) => ({ type, value })) },
    });
    const inVain = (id: string) => [...found(id), PLANNED, ...tried(id, false)];
    expect(findingOf(decided(rules('consecutive-failures', 5, 2), ...many(2, inVain)))).toMatchObject({ count: 2 });
    expect(findingOf(decided(rules('max-iterations', 9, 3), ...many(3, inVain)))).toMatchObject({ count: 3 });
    expect(endingOf(decided(rules('rate-threshold', 0, 0.3), ...many(5, inVain)))).toBe('doom_loop');
  });

  test('I13 a change that a person let be kept without a witness is the grade of the whole night', () => {
    const approved: LoopEvent = {
      type: 'evaluation.completed',
      payload: { ...PASSED, grade: 'not regressed', because: 'no runner is known' },
    };
    const options = { terminationRules: [{ type: 'improvements-found', value: 2 }] };
    const first = [...found('b'), night.prepared('b'), has.attemptSettled(), night.built('b'), approved];
    const decision = decided({ options }, ...first, night.integrated('b'), ...kept('a'));
    expect(decision.sink).toMatchObject({ ending: 'success', verified: { grade: 'not regressed' } });
  });

  test('I15 changes that are not shown are no failure of the night, and nothing is verified', () => {
    const decision = decided(
      {},
      ...found('a'),
      ...tried('a', false).slice(0, -1),
      night.notShown('a'),
      ...nothing(false),
    );
    expect(decision).toMatchObject({
      sink: { ending: 'success', verified: null },
      reason: 'nothing was kept: 1 change is not shown, and lies on a branch of its own',
    });
  });

  test('the rate counts from the fifth iteration on', () => {
    const options = { terminationRules: [{ type: 'rate-threshold', value: 0.3 }] };
    expect(endingOf(decided({ options }, ...many(4, missed)))).toBe('goes on');
    expect(findingOf(decided({ options }, ...many(5, missed)))).toMatchObject({ detector: 'rate-threshold', count: 5 });
    expect(endingOf(decided({ options }, ...many(2, kept), ...many(3, missed)))).toBe('goes on');
  });

  test('as many improvements as were wanted are a success', () => {
    const options = { terminationRules: [{ type: 'improvements-found', value: 2 }] };
    expect(endingOf(decided({ options }, ...many(1, kept)))).toBe('goes on');
    expect(decided({ options }, ...many(2, kept))).toMatchObject({
      sink: { ending: 'success' },
      reason: '2 improvements kept; as many as were wanted',
    });
  });

  test('a rule of iterations ends as the cap of iterations does', () => {
    const options = { terminationRules: [{ type: 'max-iterations', value: 2 }] };
    expect(endingOf(decided({ options }, ...kept('a'), ...missed('b')))).toBe('success');
    expect(findingOf(decided({ options }, ...many(2, missed)))).toMatchObject({ detector: 'max-iterations' });
  });

  test('where nothing is found, and nothing else will be, it ends at once', () => {
    expect(decided({}, ...nothing(false))).toMatchObject({
      sink: { ending: 'success', verified: null },
      reason: expect.stringMatching(/^nothing to improve was found/),
    });
    // What was tried in vain is no success.
    expect(findingOf(decided({}, ...missed('a'), ...nothing(false)))).toMatchObject({
      detector: 'exhausted',
      count: 2,
    });
    expect(endingOf(decided({}, ...nothing(true)))).toBe('goes on');
    expect(decided({}, ...kept('a'), ...nothing(false))).toMatchObject({ sink: { ending: 'success' } });
  });

  test('a share of the budget is the end of it, and so is less than an experiment takes', () => {
    const experiment = { ...PLAIN.experiment, estimateTokens: 110 };
    const phases = { experiment, discovery: { estimateTokens: 0 }, integrate: { estimateTokens: 0 } };
    const limits = { maxTokens: 250 };
    // An experiment uses 77 tokens here, its discovery and its evaluation 33 each: 107 are left.
    expect(endingOf(decided({ limits, options: { phases } }))).toBe('goes on');
    const decision = decided({ limits, options: { phases } }, ...missed('a'));
    expect(decision.sink).toMatchObject({ ending: 'budget', limit: { name: 'tokens', limit: 250, next: 110 } });
    const half = { phases, terminationRules: [{ type: 'budget-exceeded', value: 0.5 }] };
    expect(decided({ limits, options: half }, ...missed('a')).sink).toMatchObject({ limit: { limit: 125 } });
  });

  test('I4 an experiment leaves room for its integration', () => {
    const experiment = { ...PLAIN.experiment, estimateTokens: 110 };
    const under = (estimateTokens: number) => {
      const phases = { experiment, discovery: { estimateTokens: 0 }, integrate: { estimateTokens } };
      return decided({ limits: { maxTokens: 250 }, options: { phases } });
    };
    expect(endingOf(under(140))).toBe('goes on');
    expect(under(141).sink).toMatchObject({ ending: 'budget', limit: { name: 'tokens', used: 0, next: 251 } });
  });

  test('I4 an experiment leaves the prices of the commands that evaluate it', () => {
    const tier = (costUsd: number) => ({ name: 'paid', command: 'true', costUsd });
    const under = (costUsd: number) => {
      const phases = { ...PLAIN, evaluate: { focused: tier(costUsd), anchors: [tier(1)] } };
      return decided({ limits: { maxCostNanoUsd: 3_000_000_000 }, options: { phases } });
    };
    expect(endingOf(under(2))).toBe('goes on');
    expect(under(2.5).sink).toMatchObject({ limit: { name: 'cost_nano_usd', next: 3_500_000_000 } });
  });
});

test('I1 where experiments are off, what was found is listed, and the loop ends without cost', () => {
  const options = { phases: { experiment: { enabled: false } } };
  const decision = decided({ options }, ...found('a'));
  expect(findingOf(decision)?.message).toBe('experiments are off, so what was found is only listed');
});

test('I3 an error of an experiment ends its iteration, and not the loop', () => {
  const failed = has.attemptSettled(has.abortedBy('error', { code: 'broken', message: 'it broke' }));
  const decision = decided({}, ...found('a', 'b'), night.prepared('a'), failed);
  expect(decision).toMatchObject({ action: 'continue', reason: 'iteration 1: error' });
});

test.each(['user', 'signal', 'parent'] as const)(
  'I3 an experiment aborted by %s ends the loop for that cause',
  (cause) => {
    const aborted = has.attemptSettled(has.abortedBy(cause, null));
    expect(decided({}, ...found('a', 'b'), night.prepared('a'), aborted).sink).toEqual(has.abortedBy(cause));
  },
);

test('I3 after a failed integration the next candidate is tried; without one, nothing was improved', () => {
  const taken = [...found('a', 'b'), ...tried('a', true), night.notIntegrated('a')];
  expect(decided({}, ...taken).reason).toBe('1 candidate left; the next: fix b');
  expect(decided({}, ...taken, ...tried('b', false)).reason).toBe('iteration 1: no-improvements');
});
