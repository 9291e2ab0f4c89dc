import { describe, test } from 'vitest';
import { iteration } from '../../machines/iteration.machine.ts';
import { Ending } from '../../machines/outcome.ts';
import { turn } from '../../machines/turn.machine.ts';
import * as has from '../support/facts.ts';
import { given } from '../support/given.ts';
import { iterationPlaces, turnPlaces, wayTo } from '../support/places.ts';

const everything = [
  has.continued(),
  has.paused,
  has.resumed(),
  has.warned,
  has.abortRequested(),
  has.decidedToGoOn,
  has.decidedToEnd('success'),
  has.summaryWritten,
  has.strategyEnded,
  has.workspaceCaptured(),
  has.workspaceFailed,
  has.checked(true),
  ...(['deadline', 'grace', 'ending', 'retry'] as const).map(has.timerFired),
  ...(['capture', 'checks', 'agent', 'compaction'] as const).map(has.interrupted),
];
const ofTurns = [
  has.stepStarted(0),
  has.modelAnswered,
  has.modelFailed,
  has.modelInterrupted,
  has.modelRetried,
  has.agentWorked,
  has.modelLimited(),
  has.contextFilled,
  has.contextCompacted,
  has.callsAdmitted('0.0'),
  has.toolCompleted('0.0'),
  has.toolFailed('0.0'),
  has.toolInterrupted('0.0'),
  has.personAnswered('0.0'),
];

describe.each([
  ['turn', turn, turnPlaces, [...everything, ...ofTurns]],
  ['iteration', iteration, iterationPlaces, [...everything, has.iterationStarted(0), has.attemptSettled()]],
] as const)('%s ends', (_name, machine, places, events) => {
  const summarising = wayTo(places, 'decide.ending.summarising');
  const farewell = wayTo(places, 'decide.ending.farewell');

  test('T12 with a summary first, and then the strategy is told', () =>
    given(machine, ...summarising)
      .when(has.summaryWritten)
      .then({ state: 'decide.ending.farewell', starts: ['strategy'], stops: ['summary'] }));

  test('T12 the summary is asked for by its purpose', () =>
    given(machine, ...summarising).inputs([
      { kind: 'start', key: 'ending', actor: 'timer', input: { timer: 'ending' } },
      { kind: 'start', key: 'summary', actor: 'summarise', input: { purpose: 'ending' } },
    ]));

  test.each(Ending.options)('L1 in %s once the strategy has ended', (ending) =>
    given(machine, has.decidedToEnd(ending), has.summaryWritten)
      .when(has.strategyEnded)
      .then({
        state: ending,
        stops: ['strategy', 'ending', 'deadline'],
        remembers: { outcome: has.outcomeOf(ending) },
      }),
  );

  test.each([
    ['the summary', summarising, 'summary'],
    ['the end of the strategy', farewell, 'strategy'],
  ])('all the same when %s takes too long', (_what, history, key) =>
    given(machine, ...history)
      .when(has.timerFired('ending'))
      .then({ state: 'cap_hit', stops: [key, 'ending', 'deadline'] }),
  );

  test.each([
    ['summarising', summarising],
    ['farewell', farewell],
  ])('and no abort, no deadline and no other timer changes that any more: %s', (_where, history) => {
    for (const cause of ['user', 'signal', 'parent', 'error'] as const) {
      given(machine, ...history)
        .when(has.abortRequested(cause))
        .thenRefused('unexpected');
    }
    for (const timer of ['deadline', 'grace', 'retry'] as const) {
      given(machine, ...history)
        .when(has.timerFired(timer))
        .thenRefused('unexpected');
    }
  });

  test('in order: the strategy does not end before the summary, and there is no second summary', () => {
    given(machine, ...summarising)
      .when(has.strategyEnded)
      .thenRefused('unexpected');
    given(machine, ...farewell)
      .when(has.summaryWritten)
      .thenRefused('unexpected');
  });

  test.each(Ending.options)('after %s nothing is accepted', (ending) => {
    for (const event of events)
      given(machine, ...wayTo(places, ending))
        .when(event)
        .thenRefused('ended');
  });
});
