import { describe, expect, test } from 'vitest';
import { Ending } from '../../machines/outcome.ts';
import { iteration } from '../../machines/iteration.machine.ts';
import { turn } from '../../machines/turn.machine.ts';
import * as has from '../support/facts.ts';
import { timeAt, given } from '../support/given.ts';
import { isFinal, iterationPlaces, passing, turnPlaces, wayTo } from '../support/places.ts';
import { placesOf } from '../../src/charts/transitions.ts';

const both = [
  ['turn', turn, turnPlaces],
  ['iteration', iteration, iterationPlaces],
] as const;

describe.each(both)('%s: the places these tests go to', (_name, machine, places) => {
  test('are all that the chart has', () => {
    const resting = placesOf(machine).filter((place) => !passing.includes(place));
    expect(Object.keys(places).toSorted()).toEqual(resting.toSorted());
  });

  test.each(Object.keys(places))('and %s is where its history leads', (place) =>
    given(machine, ...wayTo(places, place)).is({ state: place }),
  );
});

describe.each(both)('%s judges', (_name, machine, places) => {
  test.each(Ending.options)(
    'a decision to end in %s leads to summary and end of the strategy, under a time limit',
    (ending) =>
      given(machine, has.resumed())
        .when(has.decidedToEnd(ending))
        .then({
          state: 'decide.ending.summarising',
          starts: ['ending', 'summary'],
          stops: ['judge'],
          pending: {},
          remembers: { outcome: has.outcomeOf(ending), due: { ending: timeAt(1000 + 1000 + 30_000), grace: null } },
        }),
  );

  test.each(Object.keys(places).filter((place) => place !== 'decide.judging'))('a decision is refused in %s', (place) =>
    given(machine, ...wayTo(places, place))
      .when(has.decidedToGoOn)
      .thenRefused(isFinal(place) ? 'ended' : 'unexpected'),
  );

  test('decides once', () => given(machine, has.decidedToGoOn).when(has.decidedToGoOn).thenRefused('unexpected'));

  test('what no place expects is no decision', () => given(machine).when(has.summaryWritten).thenRefused('unexpected'));
});

describe.each(both)('%s continues', (_name, machine, places) => {
  const aborted = [...wayTo(places, 'decide.aborting'), has.timerFired('deadline'), has.timerFired('grace')];

  test('under its new limits, with nothing held against it, and the judge asked again', () =>
    given(machine, ...aborted)
      .when(has.continued({ maxSteps: 40, maxTimeMs: 120_000 }, 5000))
      .then({
        state: 'decide.judging',
        starts: ['deadline', 'judge'],
        stops: ['judge'],
        pending: {},
        remembers: {
          limits: { ...has.LIMITS, maxSteps: 40, maxTimeMs: 120_000 },
          abort: null,
          fault: null,
          deadlinePassed: false,
          clockStart: timeAt(5000),
          due: { deadline: timeAt(125_000) },
        },
      }));

  test('what it had spent is carried over', () => {
    const history = [...wayTo(places, 'verify.checking'), has.checked(false)];
    const spend = machine.id === 'turn' ? { inputTokens: 10, steps: 1 } : { inputTokens: 70, steps: 2 };
    given(machine, ...history)
      .when(has.continued())
      .then({
        state: 'decide.judging',
        starts: ['deadline', 'judge'],
        stops: ['judge', 'deadline'],
        remembers: { spend, verification: { passed: false } },
      });
  });

  test('without a wall-clock limit it is never due', () =>
    given(machine, ...aborted)
      .when(has.continued({ maxTimeMs: null }))
      .then({
        state: 'decide.judging',
        starts: ['deadline', 'judge'],
        stops: ['judge'],
        remembers: { due: { deadline: null } },
      }));

  test('an uncured error is forgotten', () => {
    const history = [...wayTo(places, machine.id === 'turn' ? 'verify.capturing' : 'tools'), has.workspaceFailed];
    given(machine, ...history).is({ state: 'decide.judging', remembers: { fault: { version: history.length } } });
    given(machine, ...history)
      .when(has.continued())
      .then({
        state: 'decide.judging',
        starts: ['deadline', 'judge'],
        stops: ['judge', 'deadline'],
        remembers: { fault: null },
      });
  });

  test.each(Object.keys(places).filter((place) => place !== 'decide.judging'))('but not from %s', (place) =>
    given(machine, ...wayTo(places, place))
      .when(has.continued())
      .thenRefused(isFinal(place) ? 'ended' : 'unexpected'),
  );
});
