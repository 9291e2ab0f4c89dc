import { describe, test } from 'vitest';
import { turn } from '../../machines/turn.machine.ts';
import * as has from '../support/facts.ts';
import { timeAt, given, later } from '../support/given.ts';

const asked = [has.decidedToGoOn, has.stepStarted(0), has.modelAskedFor('0.0', '0.1', '0.2')];
const running = [...asked, has.callsAdmitted('0.0>', '0.1>')];
const usage = { inputTokens: 0, outputTokens: 900, estimated: true } as const;

describe('a delegated task', () => {
  test('is an actor of its own beside the other calls, its share set aside', () =>
    given(turn, ...asked)
      .when(has.callsAdmitted('0.0>', '0.1', '0.2?'))
      .then({
        state: 'tools.running',
        starts: ['call.0.0', 'call.0.1', 'call.0.2'],
        stops: ['admission'],
        pending: { 'call.0.0': 'owed', 'call.0.1': 'owed', 'call.0.2': 'asked' },
        remembers: { reserved: { 'call.0.0': has.SHARE }, spend: { toolCalls: 3 } },
      }));

  test('settles its call however it ended: what it has used is spent, and its share is free again', () =>
    given(turn, ...running)
      .when(has.handedBack('0.0', has.outcomeOf('budget')))
      .then({
        state: 'tools.running',
        stops: ['call.0.0'],
        pending: { 'call.0.1': 'owed' },
        remembers: {
          reserved: { 'call.0.1': has.SHARE },
          spend: { inputTokens: 80, outputTokens: 8, steps: 3, toolCalls: 5 },
          steps: 1,
        },
      }));

  test('counts for no step of the turn itself', () =>
    given(turn, ...running, has.handedBack('0.0'), has.handedBack('0.1'), has.decidedToGoOn)
      .when(has.stepStarted(1))
      .then({ state: 'stream.asking', remembers: { steps: 2, spend: { steps: 6 } } }));

  test('that was never begun costs nothing', () =>
    given(turn, ...running)
      .when(has.toolFailed('0.0'))
      .then({
        state: 'tools.running',
        stops: ['call.0.0'],
        remembers: { spend: { outputTokens: 1 }, reserved: { 'call.0.1': has.SHARE } },
      }));

  test('that is lost costs what the fact says was set aside', () =>
    given(turn, ...running)
      .when({ type: 'tool.interrupted', payload: { callId: '0.0', reason: 'lost', usage } })
      .then({
        state: 'tools.running',
        stops: ['call.0.0'],
        remembers: { spend: { outputTokens: 901, estimatedTokens: 900 } },
      }));

  test('is cancelled with its delegator, and its result counts', () =>
    given(turn, ...running, has.abortRequested())
      .when(has.handedBack('0.0'))
      .then({
        state: 'decide.aborting',
        pending: { 'call.0.1': 'told' },
        remembers: { spend: { inputTokens: 80, steps: 3 } },
      }));
});

describe('T9 a delegated task waits for a user', () => {
  test('T9 the others go on, and so does the clock', () =>
    given(turn, ...running)
      .when(has.childAsked('0.0'))
      .then({
        state: 'tools.running',
        pending: { 'call.0.0': 'waiting', 'call.0.1': 'owed' },
        remembers: { waitingSince: null },
      }));

  test('T9 the clock stands still once no effect runs any more', () =>
    given(turn, ...running, has.childAsked('0.0'))
      .when(has.childAsked('0.1'))
      .then({
        state: 'tools.awaitingPerson',
        stops: ['deadline'],
        pending: { 'call.0.0': 'waiting', 'call.0.1': 'waiting' },
      }));

  test('T9 as soon as one works again it goes on, the wait left out', () =>
    given(turn, ...running, has.childAsked('0.0'), has.childAsked('0.1'))
      .when(later(3_600_000, has.childAnswered('0.1')))
      .then({
        state: 'tools.running',
        starts: ['deadline'],
        pending: { 'call.0.0': 'waiting', 'call.0.1': 'owed' },
        remembers: { waitingSince: null, clockStart: timeAt(3_600_000) },
      }));

  test('T9 the delegator refuses an answer to the question of its child', () =>
    given(turn, ...running, has.childAsked('0.0'))
      .when(has.personAnswered('0.0'))
      .thenRefused('unexpected'));

  test.each([
    ['twice', has.childAsked('0.0')],
    ['for an unknown call', has.childAsked('0.7')],
    ['without a call', has.attemptAsked],
    ['that goes on without having waited', has.childAnswered('0.1')],
  ])('T9 a wait that changes nothing is not recorded: %s', (_which, event) =>
    given(turn, ...running, has.childAsked('0.0'))
      .when(event)
      .thenRefused('unexpected'),
  );
});
