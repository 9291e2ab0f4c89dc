import { describe, expect, test } from 'vitest';
import { initialTransition, transition } from 'xstate';
import { type LoopEvent, RalphEvent } from '../../../machines/events.ts';
import { ralph } from '../../../machines/ralph.machine.ts';
import type { StateEdit } from '../../../machines/ralph-facts.ts';
import { ralphLoop } from '../../../src/loops/ralph/definition.ts';
import { given } from '../../../src/testing/given-facts.ts';
import * as has from '../../support/facts.ts';

const AT = '2026-03-01T12:00:00.000Z';
const loop = { ...ralphLoop, events: RalphEvent };
const started = (limits: object = {}, options: object = {}) => {
  const { type, payload } = has.started('ralph', { checks: true, limits });
  return { type, payload: { ...payload, settings: { ...payload.settings, options: { ...options } } } };
};
const begins = (iteration: number): RalphEvent[] =>
  [has.decidedToGoOn, has.iterationStarted(iteration)] as RalphEvent[];
const fileWritten: RalphEvent = { type: 'state_file.written', payload: { digest: 'ours', was: 'kept' } };
const kept: RalphEvent = { type: 'state_file.kept', payload: { isMissing: false } };
const settled = has.attemptSettled() as RalphEvent;
const edited = (changes: StateEdit['changes'], more: Partial<StateEdit> = {}): RalphEvent => ({
  type: 'state_file.edited',
  payload: { edit: { digest: 'theirs', changes, by: 'person', held: false, ...more } },
});
const of = (event: LoopEvent): RalphEvent => event as RalphEvent;
const round = (iteration: number, read: RalphEvent = kept): RalphEvent[] => [
  ...begins(iteration),
  fileWritten,
  settled,
  read,
  of(has.workspaceCaptured()),
  of(has.checked(false)),
];

describe('R4 an edit of the file changes the run', () => {
  test('R4 a larger maximum lets another iteration run, a smaller one does not', () => {
    given(loop, started({ maxIterations: 1 }), ...round(0, edited({ maxIterations: 2 })))
      .when(of(has.decidedToGoOn))
      .then({ state: 'stream.recording', starts: ['stateFile'], stops: ['judge'] });
    given(loop, started({ maxIterations: 3 }), ...round(0, edited({ maxIterations: 1 })))
      .when(of(has.decidedToGoOn))
      .thenRefused('unexpected');
  });

  test('R4 the iteration in the file moves the maximum', () => {
    given(loop, started({ maxIterations: 3 }), ...round(0, edited({ iteration: 3 })))
      .when(of(has.decidedToGoOn))
      .thenRefused('unexpected');
    given(loop, started({ maxIterations: 2 }), ...round(0), ...round(1, edited({ iteration: 1 })))
      .when(of(has.decidedToGoOn))
      .then({ state: 'stream.recording', starts: ['stateFile'], stops: ['judge'] });
  });

  test('R3 no maximum is unlimited below the ceiling alone', () => {
    const ceiling = { ceiling: 2 };
    given(loop, started({ maxIterations: 2 }, ceiling), ...round(0, edited({ maxIterations: 0 })), ...round(1))
      .when(of(has.decidedToGoOn))
      .thenRefused('unexpected');
  });

  test('R4 a pause that an effect has outlived is no time of people alone', () => {
    const [begun] = initialTransition(ralph, undefined);
    const pausedAt = (more: { readonly unfinished?: true }) => {
      const payload = { by: 'user', ...more } as const;
      return transition(ralph, begun, { type: 'run.paused', payload, at: AT, version: 2 })[0].context.pausedAt;
    };
    expect(pausedAt({})).toBe(AT);
    expect(pausedAt({ unfinished: true })).toBeNull();
  });

  test('R4 what an attempt has left at work is so until an attempt or a pause without such work is over', () => {
    type Fact = Extract<RalphEvent, { type: 'child.settled' | 'run.paused' }>;
    const paused = { type: 'run.paused', payload: { by: 'user' } } as const;
    const leftAfter = (...facts: readonly Fact[]) => {
      const [attempting] = [started(), ...begins(0), fileWritten].reduce(
        ([state], event) => transition(ralph, state, { ...event, at: AT, version: 2 } as never),
        initialTransition(ralph, undefined),
      );
      const events = facts.map((fact) => ({ ...fact, at: AT, version: 2 }));
      return events.reduce((state, event) => transition(ralph, state, event)[0], attempting).context.leftAtWork;
    };
    const left = { ...settled, payload: { ...settled.payload, unfinished: true } } as Fact;
    expect(leftAfter(settled as Fact)).toBeNull();
    expect(leftAfter(left)).toEqual({ until: null });
    expect(leftAfter(left, paused)).toEqual({ until: AT });
    expect(leftAfter({ ...paused, payload: { by: 'user', unfinished: true } }, settled as Fact)).toEqual({ until: AT });
  });

  test('R4 what an abort gives up at its grace may be at work', () => {
    const aborted: RalphEvent = { type: 'abort.requested', payload: { cause: 'user', reason: null } };
    const graceOver: RalphEvent = { type: 'timer.fired', payload: { timer: 'grace' } };
    given(loop, started(), ...begins(0), fileWritten, aborted)
      .when(graceOver)
      .then({
        state: 'decide.judging',
        starts: ['judge'],
        stops: ['grace'],
        remembers: { leftAtWork: { until: null } },
      });
  });

  test('R4 only the content that was asked about is approved', () => {
    const waiting = [started(), ...begins(0), fileWritten, settled, edited({ maxIterations: 9 }, { held: true })];
    given(loop, ...waiting).is({ state: 'stream.awaitingPerson', pending: { stateFileRuling: 'asked' } });
    given(loop, ...waiting)
      .when({ type: 'edit.approved', payload: { digest: 'other', reason: null } })
      .thenRefused('unexpected');
    given(loop, ...waiting)
      .when({ type: 'edit.approved', payload: { digest: 'theirs', reason: null } })
      .then({
        state: 'stream.reading',
        starts: ['deadline', 'stateFile'],
        stops: ['stateFileRuling'],
        remembers: { file: { maximum: 9 } },
      });
  });
});

test('R4 an allowed edit that leaves no iteration begins none', () => {
  const passed = edited({ iteration: 4, originalPrompt: 'another task' }, { by: 'unknown', held: true });
  given(loop, started({ maxIterations: 3 }), ...begins(0), passed)
    .when({ type: 'edit.approved', payload: { digest: 'theirs', reason: null } })
    .then({ state: 'decide.judging', starts: ['deadline', 'judge'], stops: ['stateFileRuling'] });
});

describe('R9 an adaptive maximum', () => {
  const grows = started({ maxIterations: 2 }, { adaptive: true });
  const raised = (from: number, to: number): RalphEvent => ({
    type: 'maximum.raised',
    payload: { from, to, because: 'more checks passed' },
  });
  test('R9 is weighed only where it is reached, and grows to at most twice the first', () => {
    given(loop, grows, ...round(0)).is({ state: 'decide.judging' });
    given(loop, grows, ...round(0), ...round(1)).is({ state: 'verify.weighing' });
    given(loop, grows, ...round(0), ...round(1), raised(2, 4)).is({ state: 'decide.judging' });
    given(loop, grows, ...round(0), ...round(1))
      .when(raised(2, 5))
      .thenRefused('unexpected');
    given(loop, grows, ...round(0), ...round(1), raised(2, 4), ...round(2), ...round(3)).is({
      state: 'decide.judging',
    });
  });
  test('R9 is off by default', () =>
    given(loop, started({ maxIterations: 2 }), ...round(0), ...round(1)).is({ state: 'decide.judging' }));
});

test.each(['user', 'signal', 'parent'] as const)('an attempt aborted by %s ends the loop for that cause', (cause) =>
  given(loop, started({}), ...begins(0), fileWritten)
    .when(of(has.attemptSettled(has.abortedBy(cause))))
    .then({
      state: 'decide.judging',
      starts: ['judge'],
      stops: ['agent'],
      remembers: { abort: { cause, reason: null }, fault: null, attempt: { succeeded: false } },
    }),
);
