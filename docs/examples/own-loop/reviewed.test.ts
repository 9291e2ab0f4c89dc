import { given, proofsOf } from 'loopfold/testing';
import { describe, test } from 'vitest';
import { invariants } from './reviewed.invariants.ts';
import { loop } from './reviewed.loop.ts';
import { ranking } from './reviewed.ranking.ts';
import {
  captured,
  checked,
  endsIn,
  goesOn,
  iterationStarted,
  outcomes,
  reviewGiven,
  settled,
  started,
  environment,
} from './reviewed.environment.ts';

for (const { name, prove } of proofsOf(loop, environment, { ranking, invariants })) test(name, prove);

describe('a reviewed loop', () => {
  const attempted = [started(), goesOn, iterationStarted(0), settled(outcomes.success), captured];
  const underReview = [...attempted, checked(true)];

  test('asks the reviewer only after the checks have passed', () => {
    given(loop, ...attempted)
      .when(checked(true))
      .then({ state: 'verify.reviewing', starts: ['review'], stops: ['checks'] });
    given(loop, ...attempted)
      .when(checked(false))
      .then({ state: 'decide.judging', starts: ['judge'], stops: ['checks'] });
  });

  test('goes on after a bad review, with nothing of it held against the next attempt', () =>
    given(loop, ...underReview, reviewGiven(false), goesOn)
      .when(iterationStarted(1))
      .then({
        state: 'stream',
        pending: { agent: 'owed' },
        remembers: { iterations: 2, review: null, verification: null },
      }));

  test('refuses a fourth attempt where three are the limit', () => {
    const round = (iteration: number) => [goesOn, iterationStarted(iteration), settled(outcomes.cap_hit), captured];
    const three = [started(), ...round(0), ...round(1), ...round(2)];
    given(loop, ...three)
      .when(goesOn)
      .thenRefused('unexpected');
    given(loop, ...three)
      .when(endsIn(outcomes.cap_hit))
      .then({ state: 'decide.ending.summarising', starts: ['ending', 'summary'], stops: ['judge'] });
  });
});
