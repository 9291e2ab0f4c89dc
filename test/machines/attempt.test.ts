import { describe, test } from 'vitest';
import { iteration } from '../../machines/iteration.machine.ts';
import * as has from '../support/facts.ts';
import { given } from '../support/given.ts';

const attempting = [has.decidedToGoOn, has.iterationStarted(0)];
const attempted = [...attempting, has.attemptSettled(), has.workspaceCaptured()];
const checks = has.loopStarted({ checks: true });
const capped = has.attemptSettled(has.outcomeOf('cap_hit'));

describe('a loop of attempts', () => {
  test('begins in decide, with the judge asked before anything else and the deadline ticking', () => {
    given(iteration, has.loopStarted()).starts(['deadline', 'judge']);
    given(iteration, has.loopStarted()).is({
      state: 'decide.judging',
      pending: {},
      remembers: { iterations: 0, attempt: null },
    });
  });

  test('the decision to go on starts one attempt', () =>
    given(iteration)
      .when(has.decidedToGoOn)
      .then({ state: 'stream', starts: ['agent'], stops: ['judge'], pending: { agent: 'owed' } }));

  test('the iteration that was decided is counted', () =>
    given(iteration, has.decidedToGoOn)
      .when(has.iterationStarted(0))
      .then({ state: 'stream', remembers: { iterations: 1 } }));

  test('an iteration out of turn is refused, the same one twice too', () => {
    given(iteration, has.decidedToGoOn).when(has.iterationStarted(1)).thenRefused('unexpected');
    given(iteration, ...attempting)
      .when(has.iterationStarted(0))
      .thenRefused('unexpected');
  });

  test('a new attempt takes back what the last one proved', () =>
    given(iteration, checks, ...attempted, has.checked(false), has.decidedToGoOn)
      .when(has.iterationStarted(1))
      .then({ state: 'stream', remembers: { iterations: 2, attempt: null, verification: null } }));

  test('what an attempt spent is added when it settles', () =>
    given(iteration, ...attempted, has.decidedToGoOn, has.iterationStarted(1))
      .when(has.attemptSettled())
      .then({
        state: 'tools',
        starts: ['capture'],
        stops: ['agent'],
        pending: { capture: 'owed' },
        remembers: { spend: { inputTokens: 140, outputTokens: 14, toolCalls: 6, steps: 4 } },
      }));

  test.each(['success', 'cap_hit', 'doom_loop', 'budget'] as const)(
    'an attempt that ends in %s is looked at',
    (ending) =>
      given(iteration, ...attempting)
        .when(has.attemptSettled(has.outcomeOf(ending)))
        .then({
          state: 'tools',
          starts: ['capture'],
          stops: ['agent'],
          remembers: { attempt: { version: 4, succeeded: ending === 'success' }, abort: null, fault: null },
        }),
  );

  test('an attempt that an error aborted ends the loop with that error', () => {
    const fault = { code: 'model_failed', message: 'status 401' };
    given(iteration, ...attempting)
      .when(has.attemptSettled(has.abortedBy('error', fault)))
      .then({
        state: 'decide.judging',
        starts: ['judge'],
        stops: ['agent'],
        pending: {},
        remembers: { fault: { fault, version: 4 }, abort: null, spend: { inputTokens: 70 } },
      });
  });

  test.each(['user', 'signal', 'parent'] as const)('an attempt aborted by %s ends the loop for that cause', (cause) =>
    given(iteration, ...attempting)
      .when(has.attemptSettled(has.abortedBy(cause)))
      .then({
        state: 'decide.judging',
        starts: ['judge'],
        stops: ['agent'],
        remembers: { abort: { cause, reason: null, version: 4 }, fault: null, attempt: { succeeded: false } },
      }),
  );

  test('an attempt cut short is a failed one, and its work is looked at', () =>
    given(iteration, ...attempting)
      .when(has.interrupted('agent'))
      .then({
        state: 'tools',
        starts: ['capture'],
        stops: ['agent'],
        pending: { capture: 'owed' },
        remembers: { attempt: { version: 4, succeeded: false }, iterations: 1 },
      }));

  test('L5 and it is not verified', () =>
    given(iteration, checks, ...attempting, has.interrupted('agent'))
      .when(has.workspaceCaptured())
      .then({ state: 'decide.judging', starts: ['judge'], stops: ['capture'], pending: {} }));

  test('what interrupts something else says nothing about the attempt', () =>
    given(iteration, ...attempting)
      .when(has.interrupted('capture'))
      .thenRefused('unexpected'));

  test('an attempt settles once', () =>
    given(iteration, ...attempting, has.attemptSettled())
      .when(has.attemptSettled())
      .thenRefused('unexpected'));
});

describe('L5 only what succeeded is verified', () => {
  test('L5 a successful attempt is checked', () =>
    given(iteration, checks, ...attempting, has.attemptSettled())
      .when(has.workspaceCaptured())
      .then({ state: 'verify.checking', starts: ['checks'], stops: ['capture'], pending: { checks: 'owed' } }));

  test('L5 a failed one is not', () =>
    given(iteration, checks, ...attempting, capped)
      .when(has.workspaceCaptured())
      .then({
        state: 'decide.judging',
        starts: ['judge'],
        stops: ['capture'],
        pending: {},
        remembers: { workspace: 'tree-1' },
      }));

  test('neither is one without configured checks', () =>
    given(iteration, ...attempting, has.attemptSettled())
      .when(has.workspaceCaptured())
      .then({ state: 'decide.judging', starts: ['judge'], stops: ['capture'], pending: {} }));
});
