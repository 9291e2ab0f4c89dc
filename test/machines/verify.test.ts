import { describe, test } from 'vitest';
import { iteration } from '../../machines/iteration.machine.ts';
import { turn } from '../../machines/turn.machine.ts';
import * as has from '../support/facts.ts';
import { given } from '../support/given.ts';
import { iterationPlaces, turnPlaces, wayTo } from '../support/places.ts';

const fault = { fault: { code: 'broken', message: 'it broke' } };
const capturing = wayTo(turnPlaces, 'verify.capturing');
const attempted = wayTo(iterationPlaces, 'tools');

describe.each([
  ['a turn', turn, capturing, 'verify.capturing'],
  ['a loop of attempts', iteration, attempted, 'tools'],
] as const)('%s names its workspace first', (_name, machine, history, place) => {
  test.each(['tree-1', null])('then the checks run on it: %s', (hash) =>
    given(machine, ...history)
      .when(has.workspaceCaptured(hash))
      .then({
        state: 'verify.checking',
        starts: ['checks'],
        stops: ['capture'],
        pending: { checks: 'owed' },
        remembers: { workspace: hash },
      }),
  );

  test('a workspace that cannot be captured is an error, which the judge decides on', () =>
    given(machine, ...history)
      .when(has.workspaceFailed)
      .then({ state: 'decide.judging', starts: ['judge'], stops: ['capture'], pending: {}, remembers: { fault } }));

  test('an interrupted capture is begun again', () =>
    given(machine, ...history)
      .when(has.interrupted('capture'))
      .then({ state: place, starts: ['capture'], stops: ['capture'], pending: { capture: 'owed' } }));

  test('what interrupts something else says nothing about the capture', () =>
    given(machine, ...history)
      .when(has.interrupted('checks'))
      .thenRefused('unexpected'));
});

describe.each([
  ['a turn', turn, wayTo(turnPlaces, 'verify.checking')],
  ['a loop of attempts', iteration, wayTo(iterationPlaces, 'verify.checking')],
] as const)('%s checks', (_name, machine, history) => {
  test.each([true, false])('and what they said is evidence for the judge: %s', (passed) =>
    given(machine, ...history)
      .when(has.checked(passed, 'tree-1'))
      .then({
        state: 'decide.judging',
        starts: ['judge'],
        stops: ['checks'],
        pending: {},
        remembers: { verification: { passed, workspace: 'tree-1', version: 6 } },
      }),
  );

  test('without git the proof names no workspace', () =>
    given(machine, ...history.slice(0, -1), has.workspaceCaptured(null))
      .when(has.checked(true, null))
      .then({
        state: 'decide.judging',
        starts: ['judge'],
        stops: ['checks'],
        remembers: { verification: { workspace: null } },
      }));

  test('interrupted checks are begun again', () =>
    given(machine, ...history)
      .when(has.interrupted('checks'))
      .then({ state: 'verify.checking', starts: ['checks'], stops: ['checks'], pending: { checks: 'owed' } }));

  test('what interrupts something else says nothing about the checks', () =>
    given(machine, ...history)
      .when(has.interrupted('capture'))
      .thenRefused('unexpected'));

  test('they answer once', () =>
    given(machine, ...history, has.checked(true))
      .when(has.checked(true))
      .thenRefused('unexpected'));
});
