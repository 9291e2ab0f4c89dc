import { describe, test } from 'vitest';
import { iteration } from '../../machines/iteration.machine.ts';
import { turn } from '../../machines/turn.machine.ts';
import * as has from '../support/facts.ts';
import { given } from '../support/given.ts';

const streaming = [has.decidedToGoOn, has.stepStarted(0)];

describe('a person says more', () => {
  test('it is remembered until the next step, which says it', () => {
    given(turn, ...streaming)
      .when(has.steered)
      .then({ state: 'stream.asking', remembers: { steered: 4 } });
    given(turn, ...streaming, has.steered, has.modelAnswered, has.decidedToGoOn)
      .when(has.stepStarted(1))
      .then({ state: 'stream.asking', remembers: { steered: null } });
  });

  test('the newest words count', () =>
    given(turn, ...streaming, has.steered)
      .when(has.steered)
      .then({ state: 'stream.asking', remembers: { steered: 5 } }));

  test('steering is refused after the final decision', () => {
    given(turn, has.decidedToEnd('success')).when(has.steered).thenRefused('unexpected');
    given(iteration, has.decidedToEnd('success')).when(has.steered).thenRefused('unexpected');
  });

  test('a loop of attempts keeps it until the next iteration', () => {
    const attempted = [has.decidedToGoOn, has.iterationStarted(0), has.attemptSettled()];
    given(iteration, ...attempted)
      .when(has.steered)
      .then({ state: 'tools', remembers: { steered: 5 } });
    given(iteration, ...attempted, has.steered, has.workspaceCaptured(), has.decidedToGoOn)
      .when(has.iterationStarted(1))
      .then({ state: 'stream', remembers: { steered: null } });
  });
});
