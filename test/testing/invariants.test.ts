import { describe, expect, test } from 'vitest';
import { assign } from 'xstate';
import { loop } from '../../docs/examples/own-loop/reviewed.loop.ts';
import { environment } from '../../docs/examples/own-loop/reviewed.environment.ts';
import type { LoopDefinition } from '../../src/kernel/loop-definition.ts';
import type { Decision } from '../../src/kernel/decision.ts';
import { invariants } from '../../src/testing/invariants/index.ts';
import { smallestViolation } from '../../src/testing/search.ts';
import type { ProofEnvironment } from '../../src/testing/proof-environment.ts';
import { mutantsOf } from '../mutation/mutants.ts';
import { testInTurn } from '../support/in-turn.ts';

const EVENTS = 5_000;
/** Without the runs that begin with their checks: few runs are to come far. */
const { proven: _proven, ...openings } = environment.openings;
const lived = { ...environment, openings } as unknown as ProofEnvironment;

/** What the law of this name finds in the example, which brings no law of its own. */
function found(name: string, broken: LoopDefinition): string | null {
  const law = invariants.filter((one) => one.name === name);
  if (law.length !== 1) throw new Error(`no law ${name}`);
  const violation = smallestViolation(broken, lived, { seed: 1, events: EVENTS, invariants: law, thoroughOneIn: 2 });
  return violation && String(violation.error);
}

/** The example with one edit in its chart. */
function edited(id: string): LoopDefinition {
  const mutant = mutantsOf(loop).find((one) => one.id === `reviewed@1: ${id}`);
  if (!mutant) throw new Error(`nothing edits ${id}`);
  return mutant.made();
}

const provided = (provide: object): LoopDefinition => ({
  ...loop,
  machine: loop.machine.provide(provide as never) as typeof loop.machine,
});
const noted = (succeeded: boolean) =>
  assign(({ event }: { event: unknown }) => ({
    attempt: { version: (event as { version: number }).version, succeeded },
  }));

describe('a deadline is not lost while aborting', () => {
  const law = 'a deadline is not lost while aborting';

  testInTurn('holds for the example', () => expect(found(law, loop)).toBeNull());

  test.each<readonly [string, LoopDefinition, string]>([
    [
      'taken and not noted',
      edited('decide.aborting timer.fired 1: without noteDeadline'),
      'whether the deadline has passed once its timer fired is false',
    ],
    [
      'noted by an action that does nothing',
      provided({ actions: { noteDeadline: assign({}) } }),
      'a timer for the deadline that runs while aborting is false',
    ],
    ['left to what prolongs the grace', edited('decide.aborting timer.fired 1: dropped'), 'while aborting is '],
    [
      'the end of the grace',
      edited('decide.aborting timer.fired 0: not graceFired'),
      'whether the deadline has passed once its timer fired is false',
    ],
  ])('finds one that is %s', (_how, broken, told) => expect(found(law, broken)).toContain(told));
});

describe('a lost attempt is not a success', () => {
  const law = 'a lost attempt is not a success';

  test('holds for the example', () => expect(found(law, loop)).toBeNull());

  test('finds one that is noted as one that has succeeded', () =>
    expect(found(law, provided({ actions: { noteLostAttempt: noted(true) } }))).toContain(
      'what verifies an attempt that was cut short is [',
    ));
});

describe('aborting ends with the last result or with its grace, and nothing prolongs it', () => {
  const law = 'aborting ends with the last result or with its grace, and nothing prolongs it';

  test('holds for the example', () => expect(found(law, loop)).toBeNull());

  test.each([
    ['begins another attempt', 'decide.aborting always 0: to stream', 'the place after aborting is "stream"'],
    ['has no clock', 'decide.aborting: without invoke 0', 'a timer for the grace that runs while aborting is false'],
    [
      'is prolonged by a second abort',
      'decide.aborting abort.requested 0: dropped',
      'when the grace is due after a second abort',
    ],
    [
      'waits on after its grace',
      'decide.aborting timer.fired 0: dropped',
      'what timer.fired of the grace meets in decide.aborting is "unexpected"',
    ],
  ])('finds one that %s', (_how, id, told) => expect(found(law, edited(id))).toContain(told));
});

describe('the event of a lost effect is accepted wherever the effect is outstanding, and completes it', () => {
  const law = 'the event of a lost effect is accepted wherever the effect is outstanding, and completes it';
  const { askReviewer } = loop.effects;

  test('holds for the example', () => expect(found(law, loop)).toBeNull());

  test.each<readonly [string, LoopDefinition, string]>([
    [
      'while it is performed',
      edited('verify.reviewing review.interrupted 0: dropped'),
      'review.interrupted, recorded for review where it is lost in verify.reviewing, meets is "unexpected"',
    ],
    [
      'while aborting',
      edited('decide.aborting review.interrupted 0: dropped'),
      'review.interrupted, recorded for review where it is lost in decide.aborting, meets is "unexpected"',
    ],
    [
      'of another effect',
      {
        ...loop,
        effects: {
          ...loop.effects,
          ...(askReviewer && {
            askReviewer: {
              ...askReviewer,
              interrupted: () => ({ type: 'effect.interrupted', payload: { actor: 'checks', reason: '' } }),
            },
          }),
        },
      },
      'the effect that effect.interrupted, recorded for review where it is lost in verify.reviewing, answers is "checks"',
    ],
  ])('finds a loss that is not taken: %s', (_where, broken, told) => expect(found(law, broken)).toContain(told));
});

describe('its own judge', () => {
  const law = 'the judge decides only what the chart accepts, and calls no aborted or lost run a success';
  const success: Decision = {
    action: 'stop',
    sink: { ending: 'success', verified: null, partial: false },
    reason: 'done',
    evidence: [],
  };
  const judging = (judge: LoopDefinition['judge']): LoopDefinition => ({ ...loop, judge });

  test('holds for the example', () => expect(found(law, loop)).toBeNull());

  test.each<readonly [string, LoopDefinition['judge'], string]>([
    [
      'a fourth attempt where three are the limit',
      (evidence, advice) =>
        evidence.context.abort
          ? loop.judge(evidence, advice)
          : { action: 'continue', reason: 'once more', evidence: [] },
      'why the chart refuses the decision to continue (once more) is "unexpected"',
    ],
    ['no decision', () => ({ action: 'stop' }) as never, 'what its judge decides is {"action":"stop"}'],
  ])('finds %s', (_what, judge, told) => expect(found(law, judging(judge))).toContain(told));

  test('finds a success that was aborted', () =>
    expect(
      found(
        law,
        judging((evidence, advice) => (evidence.context.abort ? success : loop.judge(evidence, advice))),
      ),
    ).toContain('the ending of a run that was aborted is "success"'));

  test('finds a success that was lost', () => {
    const lenient = judging((evidence, advice) => {
      const { attempt } = evidence.context as unknown as { attempt: { succeeded: boolean } | null };
      return attempt && !attempt.succeeded && !evidence.context.abort ? success : loop.judge(evidence, advice);
    });
    expect(found(law, lenient)).toContain('the ending after an attempt that was cut short is');
  });
});
