import { MAX_AGENT_EVENTS_A_STEP } from '../../machines/agent-report.ts';
import { describe, expect, test } from 'vitest';
import type { LoopEvent } from '../../machines/events.ts';
import { iteration } from '../../machines/iteration.machine.ts';
import { MAX_WARNINGS_A_ROUND, mostRounds } from '../../machines/life.ts';
import type { Limits } from '../../machines/settings.ts';
import { MAX_CALLS_A_STEP, MAX_RETRIES_A_STEP, MAX_WAITS_A_STEP, turn } from '../../machines/turn.machine.ts';
import * as has from '../support/facts.ts';
import { given } from '../support/given.ts';

const NONE = { maxSteps: null, maxToolCalls: null, maxTokens: null, maxIterations: null, maxTimeMs: null };
const times = (many: number, ...events: readonly LoopEvent[]): LoopEvent[] =>
  Array.from({ length: many }, () => events).flat();
const stepOf = (step: number) => [has.decidedToGoOn, has.stepStarted(step)];
const asking = stepOf(0);
const answered = (step: number) => [...stepOf(step), has.modelAnswered];
const attempted = (index: number) => [
  has.decidedToGoOn,
  has.iterationStarted(index),
  has.attemptSettled(),
  has.workspaceCaptured(),
];

describe('a round that no limit has room for is refused, whatever the decision says', () => {
  test.each<[Partial<Limits>, number]>([
    // Text only: its answer, and two more where that did nothing.
    [{ maxSteps: 0 }, 3],
    [{ maxSteps: 1 }, 1],
    [{ maxSteps: 2 }, 2],
    [{ maxTokens: 2 }, 2],
    [{ maxTimeMs: 2 }, 2],
    [{ maxSteps: 9, maxTokens: 3, maxTimeMs: 2 }, 2],
  ])('T3 a turn under %j has %i steps at most', (limits, most) => {
    const opened = has.turnStarted({ limits: { ...NONE, ...limits } });
    const before = Array.from({ length: most - 1 }, (_, step) => answered(step)).flat();
    given(turn, opened, ...before)
      .when(has.decidedToGoOn)
      .then({ state: 'stream.asking', starts: ['model'], stops: ['judge'] });
    given(turn, opened, ...before, ...answered(most - 1))
      .when(has.decidedToGoOn)
      .thenRefused('unexpected');
    given(turn, opened, ...before, ...answered(most - 1))
      .when(has.decidedToEnd('cap_hit'))
      .then({
        state: 'decide.ending.summarising',
        starts: ['ending', 'summary'],
        stops: ['judge'],
      });
  });

  test.each<[Partial<Limits>, number]>([
    [{ maxIterations: 0 }, 1],
    [{ maxIterations: 2 }, 2],
    [{ maxTokens: 2 }, 2],
    [{ maxTimeMs: 2 }, 2],
    [{ maxIterations: 1, maxSteps: 0 }, 1],
  ])('L5 a loop under %j has %i iterations at most', (limits, most) => {
    const opened = has.loopStarted({ limits: { ...NONE, ...limits } });
    const before = Array.from({ length: most - 1 }, (_, index) => attempted(index)).flat();
    given(iteration, opened, ...before)
      .when(has.decidedToGoOn)
      .then({ state: 'stream', starts: ['agent'], stops: ['judge'] });
    given(iteration, opened, ...before, ...attempted(most - 1))
      .when(has.decidedToGoOn)
      .thenRefused('unexpected');
  });

  test('there are as many as the smallest limit allows, one at least, and without a limit no end of them', () => {
    expect(mostRounds(5, { ...NONE, maxTokens: 4, maxTimeMs: 6 })).toBe(4);
    expect(mostRounds(0, { ...NONE, maxTokens: 0 })).toBe(1);
    expect(mostRounds(null, { ...NONE, maxToolCalls: 1, maxCostNanoUsd: 1 })).toBe(Infinity);
  });

  test('T4 steps of those who have worked for it are steps', () => {
    const handed = [...asking, has.modelAskedFor('0.0'), has.callsAdmitted('0.0>'), has.handedBack('0.0')];
    // One step of its own, and two of its child.
    given(turn, has.turnStarted({ limits: { maxSteps: 3 } }), ...handed)
      .when(has.decidedToGoOn)
      .thenRefused('unexpected');
    given(turn, has.turnStarted({ limits: { maxSteps: 4 } }), ...handed)
      .when(has.decidedToGoOn)
      .then({ state: 'stream.asking', starts: ['model'], stops: ['judge'] });
  });

  test('a round begins once for each decision', () => {
    given(turn, ...asking)
      .when(has.stepStarted(1))
      .thenRefused('unexpected');
    given(turn, ...answered(0), has.decidedToGoOn)
      .when(has.stepStarted(1))
      .then({ state: 'stream.asking', remembers: { steps: 2 } });
    given(iteration, has.decidedToGoOn, has.iterationStarted(0))
      .when(has.iterationStarted(1))
      .thenRefused('unexpected');
  });
});

describe('T11 patience has an end', () => {
  const waited = (many: number) => [...asking, ...times(many, has.modelLimited(), has.timerFired('retry'))];

  test('T11 the last wait of a step', () =>
    given(turn, ...waited(MAX_WAITS_A_STEP - 1))
      .when(has.modelLimited())
      .then({
        state: 'stream.waiting',
        starts: ['retry'],
        stops: ['model'],
        pending: {},
        remembers: { waits: MAX_WAITS_A_STEP },
      }));

  test('T11 one more wait is refused: the judge decides on the fault, and nothing is pending', () => {
    const fault = { code: 'provider_unavailable', message: 'too many requests' };
    given(turn, ...waited(MAX_WAITS_A_STEP))
      .when({
        type: 'model.limited',
        payload: { retryAt: '2026-03-01T12:10:00.000Z', fault: { code: 'rate_limited', message: 'too many requests' } },
      })
      .then({
        state: 'decide.judging',
        starts: ['judge'],
        stops: ['model'],
        pending: {},
        remembers: { fault: { fault } },
      });
    given(turn, ...waited(MAX_WAITS_A_STEP))
      .when(has.modelLimited())
      .then({
        state: 'decide.judging',
        starts: ['judge'],
        stops: ['model'],
        remembers: {
          fault: {
            fault: {
              code: 'provider_unavailable',
              message: 'The provider asked for patience again and again.',
            },
          },
        },
      });
  });

  test('T11 the next step waits anew', () =>
    given(turn, ...waited(MAX_WAITS_A_STEP), has.modelAnswered, ...stepOf(1))
      .when(has.modelLimited())
      .then({ state: 'stream.waiting', starts: ['retry'], stops: ['model'], remembers: { waits: 1 } }));
});

const replaced: LoopEvent = {
  type: 'model.replaced',
  payload: { from: 'one', to: 'other', fault: { code: 'broken', message: 'it broke' } },
};

describe.each([
  ['failures', has.modelRetried, 11],
  ['replacements', replaced, 0],
] as const)('T11 %s of one step have an end', (_name, event, tokens) => {
  const failed = (many: number) => [...asking, ...times(many, event)];

  test('T11 the last that is told while the model is asked', () =>
    given(turn, ...failed(MAX_RETRIES_A_STEP - 1))
      .when(event)
      .then({ state: 'stream.asking', pending: { model: 'owed' }, remembers: { retries: MAX_RETRIES_A_STEP } }));

  test('T11 one more ends it: the model is told to stop, and what it has used is counted', () =>
    given(turn, ...failed(MAX_RETRIES_A_STEP))
      .when(event)
      .then({
        state: 'decide.aborting',
        starts: ['grace'],
        cancels: ['model'],
        pending: { model: 'told' },
        remembers: {
          fault: { fault: { code: 'broken' } },
          retries: MAX_RETRIES_A_STEP + 1,
          spend: { inputTokens: (tokens > 0 ? 10 : 0) * (MAX_RETRIES_A_STEP + 1) },
        },
      }));
});

test('T11 as many failures again are accepted while it is cancelled, and no more', () => {
  const told = (many: number) => [...asking, ...times(many, has.modelRetried)];
  const most = 2 * MAX_RETRIES_A_STEP;
  given(turn, ...told(most - 1))
    .when(has.modelRetried)
    .then({
      state: 'decide.aborting',
      pending: { model: 'told' },
      remembers: { retries: most, spend: { inputTokens: 10 * most, outputTokens: most } },
    });
  given(turn, ...told(most))
    .when(has.modelRetried)
    .thenRefused('unexpected');
  given(turn, ...told(most))
    .when(has.modelInterrupted)
    .then({ state: 'decide.judging', starts: ['judge'], stops: ['grace'], pending: {} });
});

describe('X1 what an agent of others tells of its work in one step has an end', () => {
  const told = (many: number) => [...asking, ...times(many, has.agentWorked)];

  test('X1 the last event that is taken leaves the step as it is', () =>
    given(turn, ...told(MAX_AGENT_EVENTS_A_STEP - 1))
      .when(has.agentWorked)
      .then({ state: 'stream.asking', pending: { model: 'owed' }, remembers: { reports: MAX_AGENT_EVENTS_A_STEP } }));

  test('X1 one more is refused, and the answer is taken', () => {
    given(turn, ...told(MAX_AGENT_EVENTS_A_STEP))
      .when(has.agentWorked)
      .thenRefused('unexpected');
    given(turn, ...told(MAX_AGENT_EVENTS_A_STEP), has.modelAnswered, ...stepOf(1))
      .when(has.agentWorked)
      .then({ state: 'stream.asking', remembers: { reports: 1 } });
  });

  test('X1 no more is taken while it is told to stop', () =>
    given(turn, ...told(MAX_AGENT_EVENTS_A_STEP), has.abortRequested())
      .when(has.agentWorked)
      .thenRefused('unexpected'));
});

describe('T7 an admission holds no more calls than there may be', () => {
  const calls = (many: number) => Array.from({ length: many }, (_, index) => `0.${index}`);
  const admitting = (maxToolCalls: number | null) => [
    has.turnStarted({ limits: { maxToolCalls } }),
    ...asking,
    has.modelAskedFor('0.0'),
  ];

  test('T7 of one answer', () => {
    const all = calls(MAX_CALLS_A_STEP);
    given(turn, ...admitting(null))
      .when(has.callsAdmitted(...all, '0.999'))
      .thenRefused('unexpected');
    given(turn, ...admitting(null))
      .when(has.callsAdmitted(...all))
      .then({
        state: 'tools.running',
        starts: all.map((id) => `call.${id}`),
        stops: ['admission'],
        remembers: { spend: { toolCalls: MAX_CALLS_A_STEP } },
      });
  });

  test('T7 of what is left of the budget', () => {
    given(turn, ...admitting(2))
      .when(has.callsAdmitted(...calls(3)))
      .thenRefused('unexpected');
    given(turn, ...admitting(2))
      .when(has.callsAdmitted(...calls(2)))
      .then({ state: 'tools.running', starts: ['call.0.0', 'call.0.1'], stops: ['admission'] });
    const spent = [
      ...admitting(2),
      has.callsAdmitted('0.0', '0.1'),
      has.toolCompleted('0.0'),
      has.toolCompleted('0.1'),
      ...stepOf(1),
      has.modelAskedFor('1.0'),
    ];
    given(turn, ...spent)
      .when(has.callsAdmitted('1.0'))
      .thenRefused('unexpected');
    given(turn, ...spent)
      .when(has.callsRefused('1.0'))
      .then({ state: 'decide.judging', starts: ['judge'], stops: ['admission'] });
  });
});

describe.each([
  ['turn', turn, asking],
  ['iteration', iteration, [has.decidedToGoOn, has.iterationStarted(0)]],
] as const)('warnings of a %s', (_name, machine, begun) => {
  const state = machine.id === 'turn' ? 'stream.asking' : 'stream';

  test('so many in a round, and nothing rests on the next', () => {
    given(machine, ...begun, ...times(MAX_WARNINGS_A_ROUND - 1, has.warned))
      .when(has.warned)
      .then({ state, remembers: { warnings: MAX_WARNINGS_A_ROUND } });
    given(machine, ...begun, ...times(MAX_WARNINGS_A_ROUND, has.warned))
      .when(has.warned)
      .thenRefused('unexpected');
  });

  test('a new round has its own', () =>
    given(machine, ...times(MAX_WARNINGS_A_ROUND, has.warned), ...begun)
      .when(has.warned)
      .then({ state, remembers: { warnings: 1 } }));
});
