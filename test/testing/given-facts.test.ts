import { AssertionError } from 'node:assert';
import { describe, expect, test } from 'vitest';
import type { LoopEvent } from '../../machines/events.ts';
import { iteration } from '../../machines/iteration.machine.ts';
import { catalogue } from '../../machines/index.ts';
import type { Loop } from '../../src/testing/loop.ts';
import { given as givenLoop } from '../../src/testing/given-facts.ts';
import * as has from '../support/facts.ts';
import { given } from '../support/given.ts';

const settled = () => given(iteration, has.decidedToGoOn).when(has.attemptSettled());
const loop = catalogue.find(({ machine }) => machine === iteration) as Loop<LoopEvent>;

describe('a sentence that is true', () => {
  test('says nothing', () =>
    settled().then({
      state: 'tools',
      starts: ['capture'],
      stops: ['agent'],
      pending: { capture: 'owed' },
      remembers: { spend: { steps: 2 } },
    }));

  test('may be about the moment, or a refusal', () => {
    given(iteration).is({ state: 'decide.judging' });
    given(iteration).starts(['deadline', 'judge']);
    given(iteration).when(has.attemptSettled()).thenRefused('unexpected');
  });
});

describe('a sentence that is not true', () => {
  const told = (sentence: () => void): string => {
    try {
      sentence();
    } catch (error) {
      expect(error).toBeInstanceOf(AssertionError);
      return error instanceof AssertionError ? error.message : '';
    }
    return 'nothing';
  };

  test.each([
    [
      'the state',
      () => settled().then({ state: 'verify', starts: ['capture'], stops: ['agent'] }),
      'the state: ',
      "'tools' !== 'verify'",
    ],
    [
      'what starts',
      () => settled().then({ state: 'tools', stops: ['agent'] }),
      'what starts and stops: ',
      "+     'capture'",
    ],
    [
      'what stops',
      () => settled().then({ state: 'tools', starts: ['capture'] }),
      'what starts and stops: ',
      "+     'agent'",
    ],
    [
      'what is told',
      () =>
        given(iteration, has.decidedToGoOn)
          .when(has.abortRequested())
          .then({ state: 'decide.aborting', starts: ['grace'] }),
      'what starts and stops: ',
      "+     'agent'",
    ],
    [
      'what is pending',
      () => given(iteration, has.decidedToGoOn).is({ state: 'stream', pending: {} }),
      'what is pending: ',
      "agent: 'owed'",
    ],
    [
      'what is remembered',
      () => given(iteration).is({ state: 'decide.judging', remembers: { spend: { steps: 9 } } }),
      'what is remembered: ',
      'steps: 0',
    ],
    [
      'a member that the context lacks',
      () => given(iteration).is({ state: 'decide.judging', remembers: { moons: 2 } }),
      'what is remembered: ',
      'moons: 2',
    ],
    [
      'that it is refused',
      () => given(iteration).when(has.warned).thenRefused('unexpected'),
      'whether warning.raised is refused in decide.judging',
      'null',
    ],
  ])('shows %s, both ways', (_what, sentence, what, shown) => {
    const message = told(sentence);
    expect(message).toContain(what);
    expect(message).toContain(shown);
  });

  test('tells where a history is refused', () =>
    expect(told(() => given(iteration, has.decidedToGoOn, has.decidedToGoOn))).toBe(
      'decision.made, version 3, is refused in stream: unexpected',
    ));

  test('tells what is no event of the loop, and why', () => {
    const message = told(() => given(iteration).when(has.modelAnswered).then({ state: 'stream' }));
    expect(message).toContain('model.completed is no event of iteration@1');
  });

  test('tells that a history needs a beginning', () => {
    expect(told(() => givenLoop(loop))).toBe('a history begins with run.started');
    expect(told(() => givenLoop(loop, has.paused))).toBe('a history begins with run.started');
  });
});
