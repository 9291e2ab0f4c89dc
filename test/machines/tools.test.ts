import { describe, test } from 'vitest';
import { turn } from '../../machines/turn.machine.ts';
import * as has from '../support/facts.ts';
import { given } from '../support/given.ts';

const asked = [has.decidedToGoOn, has.stepStarted(0), has.modelAskedFor('0.0', '0.1')];
const running = [...asked, has.callsAdmitted('0.0', '0.1')];
const answered = [...running, has.toolFailed('0.0'), has.toolFailed('0.1')];
const checking = has.turnStarted({ checks: true });

describe('T1 the calls of one answer run side by side', () => {
  test('T1 each admitted call is an actor of its own, counted when it starts', () =>
    given(turn, ...asked)
      .when(has.callsAdmitted('0.0', '0.1'))
      .then({
        state: 'tools.running',
        starts: ['call.0.0', 'call.0.1'],
        stops: ['admission'],
        pending: { 'call.0.0': 'owed', 'call.0.1': 'owed' },
        remembers: { spend: { toolCalls: 2, steps: 1, inputTokens: 10 } },
      }));

  test('a call is started by its id alone, by the actor that was admitted', () =>
    given(turn, ...asked, has.callsAdmitted('0.0', '0.1?')).inputs([
      { kind: 'start', key: 'call.0.0', actor: 'runTool', input: { callId: '0.0' } },
      { kind: 'start', key: 'call.0.1', actor: 'askPerson', input: { callId: '0.1' } },
    ]));

  test('T6 calls that were all refused are answered already: the step is over, and nothing was spent', () =>
    given(turn, ...asked)
      .when(has.callsRefused('0.0', '0.1'))
      .then({
        state: 'decide.judging',
        starts: ['judge'],
        stops: ['admission'],
        pending: {},
        remembers: { spend: { toolCalls: 0 }, finished: null },
      }));

  test('nothing runs, and nothing answers, before it was admitted', () =>
    given(turn, ...asked)
      .when(has.toolCompleted('0.0'))
      .thenRefused('unexpected'));

  test.each([
    ['a result', has.toolCompleted('0.0')],
    ['a failure', has.toolFailed('0.0')],
    ['an interruption', has.toolInterrupted('0.0')],
  ])('T1 %s settles its call, dismisses its actor, and leaves the others alone', (_what, event) =>
    given(turn, ...running)
      .when(event)
      .then({
        state: 'tools.running',
        stops: ['call.0.0'],
        pending: { 'call.0.1': 'owed' },
        remembers: { finished: null },
      }),
  );

  test.each([has.toolCompleted('0.0'), has.toolFailed('0.0'), has.toolInterrupted('0.0'), has.personAnswered('0.0')])(
    'a call answers once: $type',
    (event) => {
      given(turn, ...running, has.toolFailed('0.0'))
        .when(event)
        .thenRefused('unexpected');
    },
  );

  test('T9 an answer of a user is refused for a call that asked no question', () =>
    given(turn, ...running)
      .when(has.personAnswered('0.0'))
      .thenRefused('unexpected'));

  test('a result is refused for a call that was never made', () =>
    given(turn, ...running)
      .when(has.toolCompleted('7.0'))
      .thenRefused('unexpected'));

  test('T1 the step is over when the last call has answered, whichever that is', () =>
    given(turn, ...running, has.toolInterrupted('0.1'))
      .when(has.toolCompleted('0.0'))
      .then({
        state: 'decide.judging',
        starts: ['judge'],
        stops: ['call.0.0'],
        pending: {},
        remembers: { finished: null },
      }));

  test('calls of a later step add to the count', () =>
    given(turn, ...answered, has.decidedToGoOn, has.stepStarted(1), has.modelAskedFor('1.0'))
      .when(has.callsAdmitted('1.0'))
      .then({
        state: 'tools.running',
        starts: ['call.1.0'],
        stops: ['admission'],
        remembers: { spend: { toolCalls: 3, steps: 2 } },
      }));
});

describe('T10 a tool declares the work finished', () => {
  test('T10 the step still waits for the calls beside it', () =>
    given(turn, checking, ...running)
      .when(has.toolFinished('0.0'))
      .then({
        state: 'tools.running',
        stops: ['call.0.0'],
        pending: { 'call.0.1': 'owed' },
        remembers: { finished: 6 },
      }));

  test('T10 what comes after it does not take it back: the finished work is checked', () =>
    given(turn, checking, ...running, has.toolFinished('0.0'))
      .when(has.toolFailed('0.1'))
      .then({
        state: 'verify.capturing',
        starts: ['capture'],
        stops: ['call.0.1'],
        pending: { capture: 'owed' },
        remembers: { finished: 6 },
      }));

  test('T10 without checks the judge is asked at once', () =>
    given(turn, ...running, has.toolFinished('0.0'))
      .when(has.toolFailed('0.1'))
      .then({ state: 'decide.judging', starts: ['judge'], stops: ['call.0.1'], remembers: { finished: 6 } }));

  test('without such a tool the calls of a step are no finished work, checks or not', () =>
    given(turn, checking, ...running, has.toolCompleted('0.0'))
      .when(has.toolCompleted('0.1'))
      .then({ state: 'decide.judging', starts: ['judge'], stops: ['call.0.1'], remembers: { finished: null } }));
});

describe('T9 tools that need a person', () => {
  const withPerson = [...asked, has.callsAdmitted('0.0', '0.1?')];
  const onlyPersons = [...asked, has.callsAdmitted('0.0?', '0.1?')];

  test('T9 the calls beside it keep going', () =>
    given(turn, ...withPerson).is({ state: 'tools.running', pending: { 'call.0.0': 'owed', 'call.0.1': 'asked' } }));

  test('T9 the answer of a person settles its call, and leaves the others alone', () =>
    given(turn, ...withPerson)
      .when(has.personAnswered('0.1'))
      .then({
        state: 'tools.running',
        stops: ['call.0.1'],
        pending: { 'call.0.0': 'owed' },
        remembers: { finished: null },
      }));

  test('T9 a call that asked a person is answered once', () =>
    given(turn, ...withPerson, has.personAnswered('0.1'))
      .when(has.personAnswered('0.1'))
      .thenRefused('unexpected'));

  test('T9 X10 the question of a server takes the place of its call, and its answer lets the call go on', () => {
    given(turn, ...running)
      .when(has.serverAsked('0.0'))
      .then({
        state: 'tools.running',
        starts: ['server.0.0'],
        stops: ['call.0.0'],
        pending: { 'call.0.1': 'owed', 'server.0.0': 'asked' },
      });
    given(turn, ...running, has.serverAsked('0.0'), has.toolCompleted('0.1')).is({
      state: 'tools.awaitingPerson',
      pending: { 'server.0.0': 'asked' },
    });
    given(turn, ...running, has.serverAsked('0.0'))
      .when(has.serverAnswered('0.0'))
      .then({
        state: 'tools.running',
        starts: ['call.0.0'],
        stops: ['server.0.0'],
        pending: { 'call.0.0': 'owed', 'call.0.1': 'owed' },
        remembers: { spend: { toolCalls: 2 } },
      });
  });

  test.each([
    ['an answer to a server that has asked nothing', running, has.serverAnswered('0.0')],
    ['an answer to a server in place of a permission', withPerson, has.serverAnswered('0.1')],
    [
      'an answer to the model in place of one to a server',
      [...running, has.serverAsked('0.0')],
      has.personAnswered('0.0'),
    ],
    ['a result while the server waits for an answer', [...running, has.serverAsked('0.0')], has.toolCompleted('0.0')],
  ])('T9 X10 %s is refused', (_what, before, event) =>
    given(turn, ...before)
      .when(event)
      .thenRefused('unexpected'),
  );

  test('T9 X10 an abort stops the question of a server, and waits for its end', () => {
    const aborting = [...running, has.serverAsked('0.0'), has.toolCompleted('0.1'), has.abortRequested()];
    given(turn, ...aborting).is({ state: 'decide.aborting', pending: { 'server.0.0': 'told' } });
    given(turn, ...aborting)
      .when(has.inLane(has.interrupted('server'), '0.0'))
      .then({ state: 'decide.judging', starts: ['judge'], stops: ['grace'], pending: {} });
  });

  test('T9 when only people owe, the run waits for them and the deadline is held', () =>
    given(turn, ...withPerson)
      .when(has.toolCompleted('0.0'))
      .then({ state: 'tools.awaitingPerson', stops: ['call.0.0', 'deadline'], pending: { 'call.0.1': 'asked' } }));

  test('T9 calls that all need a person wait at once', () =>
    given(turn, ...asked)
      .when(has.callsAdmitted('0.0?', '0.1?'))
      .then({
        state: 'tools.awaitingPerson',
        starts: ['call.0.0', 'call.0.1'],
        stops: ['admission', 'deadline'],
        pending: { 'call.0.0': 'asked', 'call.0.1': 'asked' },
      }));

  test('T9 one answer of two changes nothing for the clock', () =>
    given(turn, ...onlyPersons)
      .when(has.personAnswered('0.1'))
      .then({ state: 'tools.awaitingPerson', stops: ['call.0.1'], pending: { 'call.0.0': 'asked' } }));

  test('T9 the last answer goes on, and the deadline ticks again', () =>
    given(turn, ...onlyPersons, has.personAnswered('0.1'))
      .when(has.personAnswered('0.0'))
      .then({
        state: 'decide.judging',
        starts: ['deadline', 'judge'],
        stops: ['call.0.0'],
        pending: {},
        remembers: { waitingSince: null },
      }));

  test('T9 a finishing tool beside a person waits for the person, then the work is checked', () => {
    const history = [checking, ...withPerson, has.toolFinished('0.0')];
    given(turn, ...history).is({ state: 'tools.awaitingPerson', remembers: { finished: 6 } });
    given(turn, ...history)
      .when(has.personAnswered('0.1'))
      .then({
        state: 'verify.capturing',
        starts: ['deadline', 'capture'],
        stops: ['call.0.1'],
        pending: { capture: 'owed' },
      });
  });
});
