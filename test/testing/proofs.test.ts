import { describe, expect, test } from 'vitest';
import { assign, createMachine, raise } from 'xstate';
import type { ReviewedEvent } from '../../docs/examples/own-loop/reviewed.events.ts';
import { laws } from '../../docs/examples/own-loop/reviewed.laws.ts';
import { loop } from '../../docs/examples/own-loop/reviewed.loop.ts';
import { ranking } from '../../docs/examples/own-loop/reviewed.ranking.ts';
import { world } from '../../docs/examples/own-loop/reviewed.world.ts';
import type { Loop } from '../../src/testing/loop.ts';
import { given } from '../../src/testing/given.ts';
import { type Proof, ProofError } from '../../src/testing/proofs/proof.ts';
import { proofsOf } from '../../src/testing/proofs/proofs-of.ts';
import { WorldError } from '../../src/testing/proofs/spoken.ts';
import type { World } from '../../src/testing/world.ts';
import { mutantsOf } from '../mutation/mutants.ts';

type Reviewed = Loop<ReviewedEvent>;
type ReviewedWorld = World<ReviewedEvent>;

const EVENTS = 3_000;
const options = { ranking, invariants: laws, events: EVENTS };

/** The reviewed loop with one edit in its chart. */
function edited(id: string): Reviewed {
  const mutant = mutantsOf(loop).find((one) => one.id === `reviewed@1: ${id}`);
  if (!mutant) throw new Error(`nobody edits ${id}`);
  return mutant.made() as Reviewed;
}

/** What one of its proofs throws. */
function thrownBy(proof: string, proven: Reviewed, lived: ReviewedWorld = world): unknown {
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

/** The reviewed loop's world without some of what is said in it. */
const without = (isLeftOut: (event: ReviewedEvent) => boolean): ReviewedWorld => ({
  ...world,
  answers: (effect, state) => world.answers(effect, state).filter((event) => !isLeftOut(event)),
  noise: [],
});

describe('a loop that is broken', () => {
  test.each([
    ['a guard negated', 'verify.checking verification.completed 0: not checksPassed', 'a reviewer reads only what has passed its checks'],
    ['a guard dropped', 'decide.judging decision.made 0: without its guard', 'every event that is no input from outside brings the end nearer'],
    ['a target changed', 'verify.checking verification.completed 0: to decide', 'work that has passed its checks is judged when it was read'],
    ['an ending changed', 'decide.ending.ended always 0: to abort', 'a run ends once, and as its decision says'],
    ['a way past the decision', 'verify.reviewing review.given 0: to stream', 'something falls on every cycle of the chart'],
    ['an ending from anywhere', 'tools workspace.captured 0: to success', 'keeps the rule only-decide-ends'],
    ['an action dropped', 'verify.reviewing review.given 0: without settle', 'who is judged owes nothing'],
    ['a transition dropped', 'verify.choosing always 1: dropped', 'work that has passed its checks is judged when it was read'],
  ])('by %s is known by a proof', (_what, id, proof) => expect(thrownBy(proof, edited(id))).toBeInstanceOf(ProofError));

  test('is shown by the smallest run, as a sentence that holds of it, and of no sound one', () => {
    const broken = edited('verify.checking verification.completed 0: not checksPassed');
    const error = thrownBy('a reviewer reads only what has passed its checks', broken) as ProofError;
    expect(error.message).toMatch(/^a reviewer reads only what has passed its checks: version 6: what is read is .*, expected "work that has passed"\nseed 1; the smallest run that shows it:\ngiven\(loop,/);
    expect(error.shownBy).toBe(error.message.split('\n').slice(2).join('\n'));
    const sentence = new Function('given', 'loop', 'world', error.shownBy ?? '');
    sentence(given, broken, world);
    expect(() => sentence(given, loop, world)).toThrow("the state: ");
  });

  test('by a ranking that speaks of transitions which are not there is told which', () => {
    const odd = { ...ranking, falls: { ...ranking.falls, 'stream nothing.happened 0': 'rounds' } };
    const proof = proofsOf(loop, world, { ...options, ranking: odd }).find(({ name }) => name === 'something falls on every cycle of the chart');
    expect(() => proof?.prove()).toThrow('`falls` names stream nothing.happened 0, and the chart has no such transition.');
  });

  test('so that folding throws is shown up to there', () => {
    const throwing = loop.machine.provide({
      guards: {
        attemptToReview: () => {
          throw new Error('nobody reads that');
        },
      },
    });
    const error = thrownBy('counters only grow', { ...loop, machine: throwing as Reviewed['machine'] }) as ProofError;
    expect(error.message).toContain('nobody reads that');
    expect(error.message).toContain('the smallest run that shows it, up to where folding throws:');
  });
});

describe('a loop whose functions are no good', () => {
  const made = (provide: object): Reviewed => ({ ...loop, machine: loop.machine.provide(provide as never) as Reviewed['machine'] });
  const sick = (): never => {
    throw new Error('nobody reads that');
  };

  test('is told at which event and where they throw, by each proof of a way, which is looked for once', () => {
    let asked = 0;
    const proofs = proofsOf(made({ guards: { attemptToReview: () => ((asked += 1), sick()) } }), world, options);
    const error = thrownByProof(proofs, 'there is a way to stream') as ProofError;
    expect(error).toBeInstanceOf(ProofError);
    expect(error.message).toBe(
      'there is a way to stream: no way can be looked for. workspace.captured in tools makes the machine throw: ' +
        'nobody reads that. Let it bear all that the world says.',
    );
    const before = asked;
    expect(thrownByProof(proofs, 'there is a way through tools workspace.failed 0')).toBeInstanceOf(ProofError);
    expect(asked).toBe(before);
  });

  test('is told of a context that cannot be made, which XState keeps to itself', () => {
    const machine = createMachine({ ...loop.machine.config, context: ({ input }: { input?: unknown }) => (input ? sick() : {}) } as never);
    const broken = { ...loop, machine: machine.provide(loop.machine.implementations as never) as unknown as Reviewed['machine'] };
    const error = thrownBy('there is a way to stream', broken) as ProofError;
    expect(error.message).toContain('run.started at the beginning makes the machine throw: nobody reads that.');
    expect(() => given(broken, world.openings['short'] as never)).toThrow('nobody reads that');
  });

  test.each([
    ['a date', new Date(0), 'Date'],
    ['a set', new Set(), 'Set'],
    ['nothing', undefined, 'undefined'],
    ['no number', Number.NaN, 'NaN'],
    ['a function', () => {}, 'function'],
    ['an integer of any size', 1n, 'bigint'],
  ])('is told where it remembers what is no JSON: %s', (_what, odd, told) => {
    const remembering = made({ actions: { noteAttempt: assign({ attempt: { version: 1, succeeded: true, odd } } as never) } });
    const error = thrownBy('what is remembered is JSON', remembering) as ProofError;
    expect(error.message).toContain(`context.attempt.odd is "${told}", expected "null, a string,`);
  });

  test('that never come to rest after an event is told so, and does not go round for ever', () => {
    const restless = made({ actions: { noteSteering: raise({ type: 'run.steered' } as never) } });
    const error = thrownBy('there is a way to stream', restless) as ProofError;
    expect(error.message).toContain('run.steered in decide.judging makes the machine throw: Infinite loop detected');
  });

  test('so that folding throws is looked for once, however many proofs say so', () => {
    let asked = 0;
    const proofs = proofsOf(made({ guards: { attemptToReview: () => ((asked += 1), sick()) } }), world, options);
    expect(thrownByProof(proofs, 'counters only grow')).toBeInstanceOf(ProofError);
    const before = asked;
    const error = thrownByProof(proofs, 'a run ends once, and as its decision says') as ProofError;
    expect(error.message).toContain('up to where folding throws:');
    expect(asked - before).toBeLessThan(20);
  });
});

describe('a world that leaves something out', () => {
  test('is told which transition, how to get there, and what must be said', () => {
    const quiet = without(({ type }) => type === 'review.interrupted');
    const error = thrownBy('there is a way through verify.reviewing review.interrupted 0', loop, quiet) as ProofError;
    const [first, second, ...sentence] = error.message.split('\n');
    expect(first).toBe('there is a way through verify.reviewing review.interrupted 0: none is found in this world.');
    expect(second).toBe('This leads to verify.reviewing:');
    const last = sentence.pop();
    expect(last).toMatch(/^The world never says review.interrupted: add it to the answers of who says it,/);
    new Function('given', 'loop', 'world', sentence.join('\n'))(given, loop, world);
  });

  test('is told of a guard for which nothing is ever right', () => {
    const kind = without(({ type, payload }) => type === 'child.settled' && payload.outcome.ending === 'abort');
    const error = thrownBy('there is a way through stream child.settled 0', loop, kind) as ProofError;
    expect(error.message).toContain('The world says child.settled, and never so that attemptAborted holds. Say it there so that attemptAborted holds.');
  });

  test('is told of a place, and by what it is entered', () => {
    const unread = without(({ type, payload }) => type === 'child.settled' && payload.outcome.ending === 'success');
    const error = thrownBy('there is a way to verify.reviewing', loop, unread) as ProofError;
    expect(error.message).toBe(
      'there is a way to verify.reviewing: none is found in this world. It is entered by verify.choosing always 1, verify.checking verification.completed 0, verify.reviewing review.interrupted 0.',
    );
  });

  const silent = (said: unknown): ReviewedWorld => ({
    ...world,
    answers: (effect, state) => (effect.actor === 'askReviewer' ? (said as never) : world.answers(effect, state)),
    noise: [],
  });

  test.each([
    ['in no state', [], 'there is none, here or elsewhere. Return what askReviewer may answer: review.given, review.failed, review.interrupted'],
    ['not even a list', undefined, 'undefined is no list. Return the events that askReviewer may answer'],
  ])('is told which effect it has no answer for: %s', (_what, said, told) => {
    const error = thrownBy('there is a way through verify.reviewing review.given 0', loop, silent(said)) as WorldError;
    expect(error).toBeInstanceOf(WorldError);
    expect(error.message).toBe(`the answers of askReviewer (review) in verify.reviewing of the world: ${told}`);
    if (said) expect(thrownBy('there is a way to verify.reviewing', loop, silent(said))).toBeNull();
  });

  test('may answer nothing in a state, where the effect completes in another', () => {
    const quiet = without(({ type }) => type === 'review.interrupted');
    const late: ReviewedWorld = { ...quiet, answers: (effect, state) => (effect.actor === 'judge' && state.version < 2 ? [] : quiet.answers(effect, state)) };
    expect(thrownBy('there is a way through verify.reviewing review.interrupted 0', loop, late)).toBeInstanceOf(ProofError);
  });

  test('is told of an actor that nothing starts', () => {
    const { checked: _checked, short: _short, ...openings } = world.openings;
    expect(thrownBy('something starts verifyWork', loop, { ...world, openings })).toBeInstanceOf(ProofError);
  });
});

describe('a world that has words of its own', () => {
  const misspelt = { type: 'review.gven', payload: { approved: true, remark: '' } } as unknown as ReviewedEvent;
  const halved = { type: 'review.given', payload: { approved: true } } as unknown as ReviewedEvent;
  const answering = (event: ReviewedEvent): ReviewedWorld => ({
    ...world,
    answers: (effect, state) => (effect.key === 'review' ? [event] : world.answers(effect, state)),
  });

  test.each([
    ['an answer', answering(misspelt), 'the answers of askReviewer (review) in verify.reviewing of the world: review.gven is no event of reviewed@1; known: run.started, '],
    ['an answer that lacks something', answering(halved), 'review.given is no event of reviewed@1; ✖ Invalid input: expected string'],
    ['a remark', { ...world, remarks: () => [misspelt] }, 'the remarks of the world: review.gven is no event'],
    ['what follows', { ...world, follows: () => misspelt }, 'the follower of run.started of the world: review.gven'],
    ['noise', { ...world, noise: [misspelt] }, 'the noise of the world: review.gven'],
    ['no opening', { ...world, openings: {} }, "the openings of the world: there is none. Add a 'run.started' of reviewed@1"],
    [
      'an opening of another loop',
      { ...world, openings: { other: { type: 'run.started', payload: { ...world.openings['short']?.payload, machine: 'turn@1' } } as never } },
      "the opening other of the world: its run is one of turn@1. Write `machine: 'reviewed@1'`",
    ],
    ['an opening that opens nothing', { ...world, openings: { late: halved as never } }, 'the opening late of the world: '],
    [
      'an opening that is another event',
      { ...world, openings: { late: { type: 'run.paused', payload: { by: 'user' } } as never } },
      "the opening late of the world: run.paused opens no run. Write 'run.started'",
    ],
    ['an opening that is misspelt', { ...world, openings: { odd: misspelt as never } }, 'the opening odd of the world: review.gven'],
  ])('is told which: %s', (_what, odd, told) => {
    const error = thrownBy('there is a way to stream', loop, odd);
    expect(error).toBeInstanceOf(WorldError);
    expect((error as WorldError).message).toContain(told);
  });
});

test('proofs are asked in any order, and need nothing before they are asked', () => {
  const never = (): never => {
    throw new Error('nobody has asked');
  };
  const names = proofsOf(loop, { ...world, answers: never, follows: never, remarks: never }, options).map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});
