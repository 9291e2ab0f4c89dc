import { describe, test } from 'vitest';
import { iteration } from '../../machines/iteration.machine.ts';
import { turn } from '../../machines/turn.machine.ts';
import * as has from '../support/facts.ts';
import { given } from '../support/given.ts';
import { isFinal, iterationPlaces, turnPlaces, wayTo } from '../support/places.ts';

const both = [
  ['turn', turn, turnPlaces],
  ['iteration', iteration, iterationPlaces],
] as const;

/** While a person is waited for, the clock stands still. */
const WAITING = ['tools.awaitingPerson', 'verify.disputed'];
const deadlineAnew = { starts: ['deadline'], stops: ['deadline'] };

describe.each(both)('%s', (_name, machine, places) => {
  const open = Object.keys(places).filter((place) => !isFinal(place));

  test.each(open)('can be paused in %s, where it stays: nothing starts, nothing stops', (place) =>
    given(machine, ...wayTo(places, place))
      .when(has.paused)
      .then({ state: place }),
  );

  test.each(open)('can be resumed in %s, where it stays', (place) =>
    given(machine, ...wayTo(places, place), has.paused)
      .when(has.resumed())
      .then({ state: place, ...(WAITING.includes(place) ? {} : deadlineAnew) }),
  );

  test.each(open)('can be warned in %s, and goes on', (place) =>
    given(machine, ...wayTo(places, place))
      .when(has.warned)
      .then({ state: place }),
  );

  test.each(Object.keys(places).filter(isFinal))('takes nothing of that after %s', (place) => {
    for (const event of [has.paused, has.resumed(), has.warned]) {
      given(machine, ...wayTo(places, place))
        .when(event)
        .thenRefused('ended');
    }
  });
});

const running = wayTo(turnPlaces, 'tools.running');

describe('what a pause interrupts is asked again when the run goes on', () => {
  test.each([
    ['stream.asking', has.modelInterrupted],
    ['stream.compacting', has.interrupted('compaction')],
    ['verify.capturing', has.interrupted('capture')],
    ['verify.checking', has.interrupted('checks')],
  ])('in %s', (place, word) =>
    given(turn, ...wayTo(turnPlaces, place), word, has.paused)
      .when(has.resumed())
      .then({ state: place, starts: ['deadline'], stops: ['deadline'] }),
  );

  test('but an interrupted call is never repeated: the model is told', () =>
    given(turn, ...running, has.toolInterrupted('0.0'), has.toolInterrupted('0.1'), has.paused)
      .when(has.resumed())
      .then({ state: 'decide.judging', starts: ['deadline'], stops: ['deadline'], pending: {} }));
});
