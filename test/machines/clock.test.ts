import { describe, test } from 'vitest';
import { iteration } from '../../machines/iteration.machine.ts';
import { turn } from '../../machines/turn.machine.ts';
import * as has from '../support/facts.ts';
import { timeAt, given, later } from '../support/given.ts';
import { turnPlaces, wayTo } from '../support/places.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const awaiting = wayTo(turnPlaces, 'tools.awaitingPerson');

describe('L17 the wall-clock limit', () => {
  test('L17 is due so long after the start of the run', () =>
    given(turn, has.turnStarted({ limits: { maxTimeMs: 90_000 } })).is({
      state: 'decide.judging',
      remembers: { clockStart: timeAt(0), due: { deadline: timeAt(90_000), grace: null, ending: null, retry: null } },
    }));

  test('L17 is never due where there is none', () =>
    given(turn, has.turnStarted({ limits: { maxTimeMs: null } })).is({
      state: 'decide.judging',
      remembers: { due: { deadline: null } },
    }));

  test('a decision, a step, an answer: work moves nothing', () =>
    given(turn, ...wayTo(turnPlaces, 'tools.running')).is({
      state: 'tools.running',
      remembers: { clockStart: timeAt(0), due: { deadline: timeAt(MINUTE) } },
    }));
});

describe('dead spans do not count', () => {
  test.each([
    ['turn', turn, 'stream.asking'],
    ['iteration', iteration, 'stream'],
  ] as const)('%s: resuming moves the deadline by the dead span, and starts its timer anew', (_name, machine, state) =>
    given(machine, has.decidedToGoOn, has.paused)
      .when(later(DAY, has.resumed(DAY)))
      .then({
        state,
        starts: ['deadline'],
        stops: ['deadline'],
        remembers: { clockStart: timeAt(DAY), due: { deadline: timeAt(DAY + MINUTE) } },
      }),
  );

  test('several dead spans add up', () =>
    given(turn, has.decidedToGoOn, has.resumed(DAY), has.paused)
      .when(has.resumed(5))
      .then({
        state: 'stream.asking',
        starts: ['deadline'],
        stops: ['deadline'],
        remembers: { due: { deadline: timeAt(DAY + 5 + MINUTE) } },
      }));

  test.each([
    ['turn', turn],
    ['iteration', iteration],
  ] as const)('%s: a deadline that has passed has passed: its timer is not started again', (_name, machine) =>
    given(machine, has.decidedToGoOn, has.timerFired('deadline'))
      .when(has.resumed(DAY))
      .then({ state: 'decide.aborting', remembers: { deadlinePassed: true } }),
  );

  test('without a limit there is nothing to move', () =>
    given(turn, has.turnStarted({ limits: { maxTimeMs: null } }))
      .when(has.resumed(DAY))
      .then({
        state: 'decide.judging',
        starts: ['deadline'],
        stops: ['deadline'],
        remembers: { due: { deadline: null } },
      }));
});

describe('T9 while only people owe, the clock stands still', () => {
  test('T9 since the moment it began', () =>
    given(turn, ...awaiting).is({ state: 'tools.awaitingPerson', remembers: { waitingSince: timeAt(4000) } }));

  test('T9 the deadline moves by the wait when the last answer comes', () =>
    given(turn, ...awaiting, later(DAY, has.personAnswered('0.0')))
      .when(later(DAY, has.personAnswered('0.1')))
      .then({
        state: 'decide.judging',
        starts: ['deadline', 'judge'],
        stops: ['call.0.1'],
        remembers: { waitingSince: null, clockStart: timeAt(2 * DAY), due: { deadline: timeAt(2 * DAY + MINUTE) } },
      }));

  test('T9 a restart in the middle of the wait does not wake the deadline', () =>
    given(turn, ...awaiting, has.paused)
      .when(later(DAY, has.resumed(DAY)))
      .then({
        state: 'tools.awaitingPerson',
        remembers: { waitingSince: timeAt(4000), due: { deadline: timeAt(MINUTE) } },
      }));

  test('T9 a dead span within the wait is left out once, not twice', () =>
    given(turn, ...awaiting, has.paused, later(DAY, has.resumed(DAY)), has.personAnswered('0.0'))
      .when(later(1000, has.personAnswered('0.1')))
      .then({
        state: 'decide.judging',
        starts: ['deadline', 'judge'],
        stops: ['call.0.1'],
        remembers: { clockStart: timeAt(DAY + 3000), due: { deadline: timeAt(DAY + 3000 + MINUTE) } },
      }));

  test('an abort ends the wait as well', () =>
    given(turn, ...awaiting)
      .when(later(DAY, has.abortRequested()))
      .then({
        state: 'decide.aborting',
        starts: ['deadline', 'grace'],
        cancels: ['call.0.0', 'call.0.1'],
        remembers: {
          waitingSince: null,
          due: { deadline: timeAt(DAY + MINUTE), grace: timeAt(4000 + DAY + has.GRACE_MS) },
        },
      }));
});
