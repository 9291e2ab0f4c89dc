// Over 300 lines because each proof has a loop that it fails on.
import { describe, expect, test } from 'vitest';
import { assign, createMachine, raise } from 'xstate';
import type { ReviewedEvent } from '../../docs/examples/own-loop/reviewed.events.ts';
import { invariants } from '../../docs/examples/own-loop/reviewed.invariants.ts';
import { loop } from '../../docs/examples/own-loop/reviewed.loop.ts';
import { ranking } from '../../docs/examples/own-loop/reviewed.ranking.ts';
import { environment } from '../../docs/examples/own-loop/reviewed.environment.ts';
import type { Loop } from '../../src/testing/loop.ts';
import { given } from '../../src/testing/given-facts.ts';
import { type Proof, ProofError } from '../../src/testing/proofs/proof.ts';
import { proofsOf } from '../../src/testing/proofs/proofs-of.ts';
import { ProofEnvironmentError } from '../../src/testing/proofs/environment-of-proof.ts';
import type { ProofEnvironment } from '../../src/testing/proof-environment.ts';
import { mutantsOf } from '../mutation/mutants.ts';
import { testInTurn } from '../support/in-turn.ts';

type Reviewed = Loop<ReviewedEvent>;
type ReviewedEnvironment = ProofEnvironment<ReviewedEvent>;

const EVENTS = 3_000;
const options = { ranking, invariants, events: EVENTS };

/** The reviewed loop with one edit in its chart. */
function edited(id: string): Reviewed {
  const mutant = mutantsOf(loop).find((one) => one.id === `reviewed@1: ${id}`);
  if (!mutant) throw new Error(`no mutant ${id}`);
  return mutant.made() as Reviewed;
}

/** What one of its proofs throws. */
function thrownBy(proof: string, proven: Reviewed, lived: ReviewedEnvironment = environment): unknown {
  return thrownByProof(proofsOf(proven, lived, options), proof);
}

function thrownByProof(proofs: readonly Proof[], proof: string): unknown {
  const found = proofs.find(({ name }) => name === proof);
  if (!found) throw new Error(`no proof ${proof}`);
  try {
    found.prove();
    return null;
  } catch (error) {
    return error;
  }
}

/** The environment of the reviewed loop without some of its answers. */
const without = (isLeftOut: (event: ReviewedEvent) => boolean): ReviewedEnvironment => ({
  ...environment,
  answers: (effect, state) => environment.answers(effect, state).filter((event) => !isLeftOut(event)),
  noise: [],
});

describe('a loop that is broken', () => {
  testInTurn.each([
    [
      'a guard negated',
      'verify.checking verification.completed 0: not checksPassed',
      'a reviewer reads only what has passed its checks',
    ],
    [
      'a guard dropped',
      'decide.judging decision.made 1: without its guard',
      'every event except external input lowers the rank',
    ],
    [
      'a target changed',
      'verify.checking verification.completed 0: to decide',
      'work that has passed its checks is judged when it was read',
    ],
    ['an ending changed', 'decide.ending.ended always 0: to abort', 'a run ends once, and as its decision says'],
    [
      'a path past the decision',
      'verify.reviewing review.given 0: to stream',
      'the rank falls on every cycle of the chart',
    ],
    ['an ending from anywhere', 'tools workspace.captured 0: to success', 'keeps the rule only-decide-ends'],
    [
      'an action dropped',
      'verify.reviewing review.given 0: without complete',
      'nothing is pending when a run is judged',
    ],
    [
      'a transition dropped',
      'verify.choosing always 1: dropped',
      'work that has passed its checks is judged when it was read',
    ],
  ])('by %s is known by a proof', (_what, id, proof) => {
    // Few runs are to come far: those that begin with their checks are left out.
    const { proven: _proven, ...openings } = environment.openings;
    expect(thrownBy(proof, edited(id), { ...environment, openings })).toBeInstanceOf(ProofError);
  });

  testInTurn('is shown by the smallest run, as code that passes for it and fails for the sound loop', () => {
    const broken = edited('verify.checking verification.completed 0: not checksPassed');
    const error = thrownBy('a reviewer reads only what has passed its checks', broken) as ProofError;
    expect(error.message).toMatch(
      /^a reviewer reads only what has passed its checks: version 6: what is read is .*, expected "work that has passed"\nseed 1; the smallest run that shows it:\ngiven\(loop,/,
    );
    expect(error.example).toBe(error.message.split('\n').slice(2).join('\n'));
    const example = new Function('given', 'loop', 'environment', error.example ?? '');
    example(given, broken, environment);
    expect(() => example(given, loop, environment)).toThrow('the state: ');
  });

  test('by a ranking that names unknown transitions is reported with their ids', () => {
    const odd = { ...ranking, falls: { ...ranking.falls, 'stream nothing.happened 0': 'rounds' } };
    const proof = proofsOf(loop, environment, { ...options, ranking: odd }).find(
      ({ name }) => name === 'the rank falls on every cycle of the chart',
    );
    expect(() => proof?.prove()).toThrow(
      '`falls` names stream nothing.happened 0, and the chart has no such transition.',
    );
  });

  test('so that folding throws is shown up to the event that throws', () => {
    const throwing = loop.machine.provide({
      guards: {
        attemptToReview: () => {
          throw new Error('unreadable');
        },
      },
    });
    const error = thrownBy('counters only grow', { ...loop, machine: throwing as Reviewed['machine'] }) as ProofError;
    expect(error.message).toContain('unreadable');
    expect(error.message).toContain('the smallest run that shows it, up to where folding throws:');
  });
});

describe('a loop whose functions are faulty', () => {
  const made = (provide: object): Reviewed => ({
    ...loop,
    machine: loop.machine.provide(provide as never) as Reviewed['machine'],
  });
  const sick = (): never => {
    throw new Error('unreadable');
  };

  test('every proof of a path names the event and the state in which a guard throws, and the search runs once', () => {
    let asked = 0;
    const proofs = proofsOf(made({ guards: { attemptToReview: () => ((asked += 1), sick()) } }), environment, options);
    const error = thrownByProof(proofs, 'a path leads to stream') as ProofError;
    expect(error).toBeInstanceOf(ProofError);
    expect(error.message).toBe(
      'a path leads to stream: the search for paths failed. workspace.captured in tools makes the machine throw: ' +
        'unreadable. Make it accept every event that the environment offers.',
    );
    const before = asked;
    expect(thrownByProof(proofs, 'a path takes tools workspace.failed 0')).toBeInstanceOf(ProofError);
    expect(asked).toBe(before);
  });

  test('a context that throws is reported, although XState hides the error', () => {
    const machine = createMachine({
      ...loop.machine.config,
      context: ({ input }: { input?: unknown }) => (input ? sick() : {}),
    } as never);
    const broken = {
      ...loop,
      machine: machine.provide(loop.machine.implementations as never) as unknown as Reviewed['machine'],
    };
    const error = thrownBy('a path leads to stream', broken) as ProofError;
    expect(error.message).toContain('run.started at the beginning makes the machine throw: unreadable.');
    expect(() => given(broken, environment.openings['short'] as never)).toThrow('unreadable');
  });

  test.each([
    ['a date', new Date(0), 'Date'],
    ['a set', new Set(), 'Set'],
    ['nothing', undefined, 'undefined'],
    ['no number', Number.NaN, 'NaN'],
    ['a function', () => {}, 'function'],
    ['an integer of any size', 1n, 'bigint'],
  ])('a member of the context that is not JSON is reported: %s', (_what, odd, told) => {
    const remembering = made({
      actions: { noteAttempt: assign({ attempt: { version: 1, succeeded: true, odd } } as never) },
    });
    const error = thrownBy('the context is JSON', remembering) as ProofError;
    expect(error.message).toContain(`context.attempt.odd is "${told}", expected "null, a string,`);
  });

  test('an endless chain of raised events is reported, and the proof ends', () => {
    const restless = made({ actions: { noteSteering: raise({ type: 'run.steered' } as never) } });
    const error = thrownBy('a path leads to stream', restless) as ProofError;
    expect(error.message).toContain('run.steered in decide.judging makes the machine throw: Infinite loop detected');
  });

  test('a run whose folding throws is searched for once, however many proofs report it', () => {
    let asked = 0;
    const proofs = proofsOf(made({ guards: { attemptToReview: () => ((asked += 1), sick()) } }), environment, options);
    expect(thrownByProof(proofs, 'counters only grow')).toBeInstanceOf(ProofError);
    const before = asked;
    const error = thrownByProof(proofs, 'a run ends once, and as its decision says') as ProofError;
    expect(error.message).toContain('up to where folding throws:');
    expect(asked - before).toBeLessThan(20);
  });
});

describe('an environment that leaves something out', () => {
  testInTurn('the missing transition is reported, with the path to its state and the event to offer', () => {
    const quiet = without(({ type }) => type === 'review.interrupted');
    const error = thrownBy('a path takes verify.reviewing review.interrupted 0', loop, quiet) as ProofError;
    const [first, second, ...sentence] = error.message.split('\n');
    expect(first).toBe('a path takes verify.reviewing review.interrupted 0: no path is found in this environment.');
    expect(second).toBe('This leads to verify.reviewing:');
    const last = sentence.pop();
    expect(last).toMatch(/^The environment never offers review.interrupted: add it to the answers of an effect,/);
    new Function('given', 'loop', 'environment', sentence.join('\n'))(given, loop, environment);
  });

  testInTurn('a guard that no offered event satisfies is reported', () => {
    const kind = without(({ type, payload }) => type === 'child.settled' && payload.outcome.ending === 'abort');
    const error = thrownBy('a path takes stream child.settled 0', loop, kind) as ProofError;
    expect(error.message).toContain(
      'The environment offers child.settled, but never so that attemptAborted holds. Offer it there so that attemptAborted holds.',
    );
  });

  testInTurn('an unreached state is reported with the transitions that enter it', () => {
    const unread = without(({ type, payload }) => type === 'child.settled' && payload.outcome.ending === 'success');
    const error = thrownBy('a path leads to verify.reviewing', loop, unread) as ProofError;
    expect(error.message).toBe(
      'a path leads to verify.reviewing: no path is found in this environment. It is entered by verify.choosing always 1, verify.checking verification.completed 0, verify.reviewing review.interrupted 0.',
    );
  });

  const silent = (said: unknown): ReviewedEnvironment => ({
    ...environment,
    answers: (effect, state) => (effect.actor === 'askReviewer' ? (said as never) : environment.answers(effect, state)),
    noise: [],
  });

  testInTurn.each([
    [
      'in no state',
      [],
      'there is none, here or elsewhere. Return what askReviewer may answer: review.given, review.failed, review.interrupted',
    ],
    ['not even a list', undefined, 'undefined is no list. Return the events that askReviewer may answer'],
  ])('an effect without answers is reported: %s', (_what, said, told) => {
    const error = thrownBy('a path takes verify.reviewing review.given 0', loop, silent(said)) as ProofEnvironmentError;
    expect(error).toBeInstanceOf(ProofEnvironmentError);
    expect(error.message).toBe(`the answers of askReviewer (review) in verify.reviewing of the environment: ${told}`);
    if (said) expect(thrownBy('a path leads to verify.reviewing', loop, silent(said))).toBeNull();
  });

  testInTurn('may answer nothing in a state, where the effect completes in another', () => {
    const quiet = without(({ type }) => type === 'review.interrupted');
    const late: ReviewedEnvironment = {
      ...quiet,
      answers: (effect, state) => (effect.actor === 'judge' && state.version < 2 ? [] : quiet.answers(effect, state)),
    };
    expect(thrownBy('a path takes verify.reviewing review.interrupted 0', loop, late)).toBeInstanceOf(ProofError);
  });

  test('an actor that no path starts is reported', () => {
    const { checked: _checked, short: _short, proven: _proven, ...openings } = environment.openings;
    expect(thrownBy('a path starts verifyWork', loop, { ...environment, openings })).toBeInstanceOf(ProofError);
  });
});

describe('an environment with events that its loop does not know', () => {
  const misspelt = { type: 'review.gven', payload: { approved: true, remark: '' } } as unknown as ReviewedEvent;
  const halved = { type: 'review.given', payload: { approved: true } } as unknown as ReviewedEvent;
  const answering = (event: ReviewedEvent): ReviewedEnvironment => ({
    ...environment,
    answers: (effect, state) => (effect.key === 'review' ? [event] : environment.answers(effect, state)),
  });

  test.each([
    [
      'an answer',
      answering(misspelt),
      'the answers of askReviewer (review) in verify.reviewing of the environment: review.gven is no event of reviewed@1; known: run.started, ',
    ],
    [
      'an answer that lacks something',
      answering(halved),
      'review.given is no event of reviewed@1; ✖ Invalid input: expected string',
    ],
    [
      'a remark',
      { ...environment, remarks: () => [misspelt] },
      'the remarks of the environment: review.gven is no event',
    ],
    [
      'what follows',
      { ...environment, follows: () => misspelt },
      'the follower of run.started of the environment: review.gven',
    ],
    ['noise', { ...environment, noise: [misspelt] }, 'the noise of the environment: review.gven'],
    [
      'no opening',
      { ...environment, openings: {} },
      "the openings of the environment: there is none. Add a 'run.started' of reviewed@1",
    ],
    [
      'an opening of another loop',
      {
        ...environment,
        openings: {
          other: {
            type: 'run.started',
            payload: { ...environment.openings['short']?.payload, machine: 'turn@1' },
          } as never,
        },
      },
      "the opening other of the environment: its run is one of turn@1. Write `machine: 'reviewed@1'`",
    ],
    [
      'an opening that opens nothing',
      { ...environment, openings: { late: halved as never } },
      'the opening late of the environment: ',
    ],
    [
      'an opening that is another event',
      { ...environment, openings: { late: { type: 'run.paused', payload: { by: 'user' } } as never } },
      "the opening late of the environment: run.paused opens no run. Write 'run.started'",
    ],
    [
      'an opening that is misspelt',
      { ...environment, openings: { odd: misspelt as never } },
      'the opening odd of the environment: review.gven',
    ],
  ])('is reported with the part that offers it: %s', (_what, odd, told) => {
    const error = thrownBy('a path leads to stream', loop, odd);
    expect(error).toBeInstanceOf(ProofEnvironmentError);
    expect((error as ProofEnvironmentError).message).toContain(told);
  });
});

test('proofs are asked in any order, and need nothing before they are asked', () => {
  const never = (): never => {
    throw new Error('never asked');
  };
  const names = proofsOf(loop, { ...environment, answers: never, follows: never, remarks: never }, options).map(
    ({ name }) => name,
  );
  expect(new Set(names).size).toBe(names.length);
});
