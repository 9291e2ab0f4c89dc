import { describe, test } from 'vitest';
import { turn } from '../../machines/turn.machine.ts';
import * as has from '../support/facts.ts';
import { timeAt, given, later } from '../support/given.ts';
import { turnPlaces, wayTo } from '../support/places.ts';

const asking = [has.decidedToGoOn, has.stepStarted(0)];

describe('a run begins', () => {
  test('in decide, with the judge asked before anything else and the deadline ticking', () =>
    given(turn, has.turnStarted()).starts(['deadline', 'judge']));

  test('owing nothing, having spent nothing', () =>
    given(turn, has.turnStarted()).is({
      state: 'decide.judging',
      pending: {},
      remembers: {
        spend: { inputTokens: 0, outputTokens: 0, toolCalls: 0, steps: 0 },
        hasChecks: false,
        graceMs: has.GRACE_MS,
        limits: has.LIMITS,
        outcome: null,
      },
    }));
});

describe('T1 a step begins with one answer of the model', () => {
  test('T1 the decision to go on asks the model', () =>
    given(turn)
      .when(has.decidedToGoOn)
      .then({ state: 'stream.asking', starts: ['model'], stops: ['judge'], pending: { model: 'owed' } }));

  test('T4 the step that was decided is counted', () =>
    given(turn, has.decidedToGoOn)
      .when(has.stepStarted(0))
      .then({ state: 'stream.asking', remembers: { spend: { steps: 1 } } }));

  test('T4 a step out of turn is refused, the same one twice too', () => {
    given(turn, has.decidedToGoOn).when(has.stepStarted(1)).thenRefused('unexpected');
    given(turn, ...asking)
      .when(has.stepStarted(0))
      .thenRefused('unexpected');
    given(turn).when(has.stepStarted(0)).thenRefused('unexpected');
  });

  test('T1 an answer that asks for tools goes on to them, its tokens counted', () =>
    given(turn, ...asking)
      .when(has.modelAskedFor('0.0', '0.1'))
      .then({
        state: 'tools.admitting',
        starts: ['admission'],
        stops: ['model'],
        pending: {},
        remembers: { spend: { inputTokens: 10, outputTokens: 1 }, answer: { version: 4, calls: 2 }, finished: null },
      }));

  test('T5 an answer without calls is finished work: the judge is asked', () =>
    given(turn, ...asking)
      .when(has.modelAnswered)
      .then({
        state: 'decide.judging',
        starts: ['judge'],
        stops: ['model'],
        pending: {},
        remembers: { finished: 4, answer: { version: 4, calls: 0 }, spend: { inputTokens: 10, outputTokens: 1 } },
      }));

  test('an answer without calls is checked first where checks were asked for', () =>
    given(turn, has.turnStarted({ checks: true }), ...asking)
      .when(has.modelAnswered)
      .then({
        state: 'verify.capturing',
        starts: ['capture'],
        stops: ['model'],
        pending: { capture: 'owed' },
        remembers: { finished: 4, spend: { outputTokens: 1 } },
      }));

  test('another step forgets what was finished and what was proven', () =>
    given(turn, ...wayTo(turnPlaces, 'verify.checking'), has.checked(false), has.decidedToGoOn)
      .when(has.stepStarted(1))
      .then({ state: 'stream.asking', remembers: { finished: null, verification: null, spend: { steps: 2 } } }));
});

describe('T8 a turn of no steps answers in text', () => {
  const textOnly = [has.turnStarted({ limits: { maxSteps: 0 } }), ...asking];

  test('T8 calls that the model makes anyway are ignored, and what it said is the finished work', () =>
    given(turn, ...textOnly)
      .when(has.modelAskedFor('0.0'))
      .then({ state: 'decide.judging', starts: ['judge'], stops: ['model'], pending: {}, remembers: { finished: 4 } }));

  test('T8 the warning about ignored calls is taken', () =>
    given(turn, ...textOnly)
      .when(has.warned)
      .then({ state: 'stream.asking' }));

  test('T8 any answer is checked where checks were asked for', () =>
    given(turn, has.turnStarted({ limits: { maxSteps: 0 }, checks: true }), ...asking)
      .when(has.modelAskedFor('0.0'))
      .then({ state: 'verify.capturing', starts: ['capture'], stops: ['model'], remembers: { finished: 4 } }));
});

describe('a model that does not answer', () => {
  test('T11 an error that retries did not cure goes to the judge, its cost counted', () =>
    given(turn, ...asking)
      .when(has.modelFailed)
      .then({
        state: 'decide.judging',
        starts: ['judge'],
        stops: ['model'],
        pending: {},
        remembers: {
          fault: { fault: { code: 'broken', message: 'it broke' }, version: 4 },
          spend: { inputTokens: 10 },
        },
      }));

  test('a failed try costs too, and the call goes on', () =>
    given(turn, ...asking)
      .when(has.modelRetried)
      .then({
        state: 'stream.asking',
        pending: { model: 'owed' },
        remembers: { spend: { inputTokens: 10, steps: 1 } },
      }));

  test('an interrupted model is asked again, and what it said before is paid for', () =>
    given(turn, ...asking)
      .when(has.modelInterrupted)
      .then({
        state: 'stream.asking',
        starts: ['model'],
        stops: ['model'],
        pending: { model: 'owed' },
        remembers: { spend: { inputTokens: 10, outputTokens: 1, steps: 1 } },
      }));

  test('a rate limit is a wait until the time that the provider named, and no failure', () =>
    given(turn, ...asking)
      .when(has.modelLimited(timeAt(600_000)))
      .then({
        state: 'stream.waiting',
        starts: ['retry'],
        stops: ['model'],
        pending: {},
        remembers: { due: { retry: timeAt(600_000), grace: null, ending: null }, fault: null },
      }));

  test('after the wait it is asked again', () =>
    given(turn, ...asking, has.modelLimited())
      .when(later(600_000, has.timerFired('retry')))
      .then({ state: 'stream.asking', starts: ['model'], stops: ['retry'], pending: { model: 'owed' } }));

  test.each(['grace', 'ending'] as const)('the %s timer does not end the wait', (timer) =>
    given(turn, ...asking, has.modelLimited())
      .when(has.timerFired(timer))
      .thenRefused('unexpected'),
  );
});

describe('a conversation that no longer fits', () => {
  test('is summarised, the call that found out paid for', () =>
    given(turn, ...asking)
      .when(has.contextFilled)
      .then({
        state: 'stream.compacting',
        starts: ['compaction'],
        stops: ['model'],
        pending: { compaction: 'owed' },
        remembers: { spend: { inputTokens: 10 } },
      }));

  test('and the model asked again, the summary paid for', () =>
    given(turn, ...asking, has.contextFilled)
      .when(has.contextCompacted)
      .then({
        state: 'stream.asking',
        starts: ['model'],
        stops: ['compaction'],
        pending: { model: 'owed' },
        remembers: { spend: { inputTokens: 20, outputTokens: 2 } },
      }));

  test('D10 full again right after that, the judge is asked; in the next step it is summarised once more', () => {
    const thrashing = [...asking, has.contextFilled, has.contextCompacted];
    given(turn, ...thrashing)
      .when(has.contextFilled)
      .then({ state: 'decide.judging', starts: ['judge'], stops: ['model'], pending: {} });
    given(turn, ...thrashing, has.contextFilled, has.decidedToGoOn, has.stepStarted(1))
      .when(has.contextFilled)
      .then({ state: 'stream.compacting', starts: ['compaction'], stops: ['model'], pending: { compaction: 'owed' } });
  });

  test('an interrupted summary is begun again', () =>
    given(turn, ...asking, has.contextFilled)
      .when(has.interrupted('compaction'))
      .then({
        state: 'stream.compacting',
        starts: ['compaction'],
        stops: ['compaction'],
        pending: { compaction: 'owed' },
      }));

  test('what interrupts something else says nothing about the summary', () =>
    given(turn, ...asking, has.contextFilled)
      .when(has.interrupted('capture'))
      .thenRefused('unexpected'));
});

test('effects carry references, never contents', () => {
  const input = { kind: 'start', key: 'compaction', actor: 'summarise', input: { purpose: 'compaction' } };
  given(turn, ...asking, has.contextFilled).inputs([input]);
});
