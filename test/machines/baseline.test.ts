import { describe, test } from 'vitest';
import { iteration } from '../../machines/iteration.machine.ts';
import { ralph } from '../../machines/ralph.machine.ts';
import { turn } from '../../machines/turn.machine.ts';
import * as has from '../support/facts.ts';
import { given } from '../support/given.ts';

const BEGUN = { turn: 'stream.asking', iteration: 'stream', ralph: 'stream.recording' };
const FAULT = { code: 'environment', message: 'npm: not found' };

describe.each([
  ['a turn', turn, 'turn', has.stepStarted(0)],
  ['a loop of attempts', iteration, 'iteration', has.iterationStarted(0)],
  ['a Ralph loop', ralph, 'ralph', has.iterationStarted(0)],
] as const)('%s with a proof', (_name, machine, loop, begun) => {
  const opened = [has.started(loop, { checks: true, proof: true })];
  const running = [...opened, has.decidedToGoOn];

  test('V1 runs the checks on its base before its first round', () =>
    given(machine, ...opened)
      .when(has.decidedToGoOn)
      .then({
        state: 'verify.baseline',
        starts: ['checks'],
        stops: ['judge'],
        pending: { checks: 'owed' },
        remembers: { baseline: 'running', isBeginning: false },
      }));

  test.each([true, false])('V1 remembers how they went, and decides again: passed %s', (passed) =>
    given(machine, ...running)
      .when(has.baselineTaken(passed))
      .then({
        state: 'decide.judging',
        starts: ['judge'],
        stops: ['checks'],
        pending: {},
        remembers: { baseline: { passed, workspace: 'tree-0', version: 3 }, verification: null, fault: null },
      }),
  );

  test('V1 takes checks that cannot run for a fault', () =>
    given(machine, ...running)
      .when(has.baselineTaken(false, FAULT))
      .then({
        state: 'decide.judging',
        starts: ['judge'],
        stops: ['checks'],
        remembers: { fault: { fault: FAULT, version: 3 } },
      }));

  test('V1 begins its first round after that, and runs them no second time', () =>
    given(machine, ...running, has.baselineTaken(false), has.decidedToGoOn).is({
      state: BEGUN[loop],
      remembers: { isBeginning: true },
    }));

  test('V1 begins no round while they run', () =>
    given(machine, ...running)
      .when(begun)
      .thenRefused('unexpected'));

  test('V1 starts them again where they were interrupted', () =>
    given(machine, ...running)
      .when(has.interrupted('checks'))
      .then({ state: 'verify.baseline', starts: ['checks'], stops: ['checks'], pending: { checks: 'owed' } }));

  test('V1 goes on after no abort that has cut them short', () =>
    given(machine, ...running, has.abortRequested(), has.interrupted('checks'))
      .when(has.decidedToGoOn)
      .thenRefused('unexpected'));

  test.each([
    ['were cut short', [has.abortRequested(), has.interrupted('checks')]],
    ['could not run', [has.baselineTaken(false, FAULT)]],
  ] as const)('V1 runs them in a continuation where they %s', (_how, history) =>
    given(machine, ...running, ...history, has.continued(), has.decidedToGoOn).is({ state: 'verify.baseline' }),
  );

  test('V1 runs none in a continuation where they ran', () =>
    given(machine, ...running, has.baselineTaken(true), has.continued()).is({
      state: 'decide.judging',
      remembers: { baseline: { passed: true, workspace: 'tree-0', version: 3 } },
    }));
});

test.each(['turn', 'iteration', 'ralph'] as const)(
  'V1 a %s without checks, or without a proof, has no baseline',
  (loop) => {
    const machine = { turn, iteration, ralph }[loop];
    for (const beginning of [{ checks: true }, { proof: true }])
      given(machine, has.started(loop, beginning)).is({ state: 'decide.judging', remembers: { baseline: null } });
  },
);
