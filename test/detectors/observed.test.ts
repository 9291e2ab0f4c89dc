import { expect, test } from 'vitest';
import type { LoopEvent } from '../../machines/events.ts';
import type { Ending } from '../../machines/outcome.ts';
import { NOTHING_AWAITED, paired } from '../../src/detectors/call-pairing.ts';
import type { Observed } from '../../src/detectors/observation.ts';
import { noTraits } from '../../src/detectors/traits.ts';
import * as has from '../support/facts.ts';
import { answered, asks, done, failed, inPlaces, lost, read, refused } from './turn-story.ts';

/** All pairs of a story, and at which fact each came to be. */
function pairsIn(facts: readonly LoopEvent[]): (Observed & { readonly at: number })[] {
  let awaiting = NOTHING_AWAITED;
  return inPlaces(facts).flatMap((event) => {
    const pairing = paired(awaiting, event, noTraits);
    awaiting = pairing.awaiting;
    return pairing.observed.map((pair) => ({ ...pair, at: event.version }));
  });
}

const settled = (ending: Ending): LoopEvent => {
  const spend = { inputTokens: 1, outputTokens: 1, toolCalls: 0, steps: 1 };
  return {
    type: 'child.settled',
    payload: { child: 'c', outcome: has.outcomeOf(ending), answer: 'mended', spend, callId: '0.0' },
  };
};

test('D1a D1b D1d pairs are known when the last call of an answer has its result, in the order asked', () => {
  const pairs = pairsIn([asks(read('a'), read('b'), read('c')), done('x', 2), refused(0), failed('y', 1)]);
  expect(pairs.map(({ at, failed: isFailure, evidence }) => [at, isFailure, evidence])).toEqual([
    [4, true, ['run-1/1', 'run-1/3']],
    [4, true, ['run-1/1', 'run-1/4']],
    [4, false, ['run-1/1', 'run-1/2']],
  ]);
});

test('D1a D1b D1d what was interrupted has no pair, and takes none away that is there', () => {
  expect(pairsIn([asks(read('a'), read('b')), lost(0), done('x', 1)]).map(({ at }) => at)).toEqual([3]);
  expect(pairsIn([asks(read('a'), read('b')), done('x', 0), lost(0), done('x', 1)]).map(({ at }) => at)).toEqual([
    4, 4,
  ]);
  expect(pairsIn([asks(read('a')), lost(0), done('x', 0)])).toEqual([]);
});

test('D1a D1b D1d a result without a pending call, or a second result, is ignored', () => {
  expect(
    pairsIn([done('x', 0), asks(read('a')), done('x', 1), done('y', 0), done('z', 0)]).map(({ at }) => at),
  ).toEqual([4]);
});

test('D1a D1b D1d the same words mean something else in a failure', () => {
  const [good, bad] = pairsIn([asks(read('a')), done('x'), asks(read('a')), failed('x')]);
  expect(good?.action).toBe(bad?.action);
  expect(good?.result).not.toBe(bad?.result);
});

test('D1a D1b D1d answers of users and delegated runs are results; an aborted run has none', () => {
  expect(pairsIn([asks(read('a')), answered('yes')])).toMatchObject([{ failed: false }]);
  expect(pairsIn([asks(read('a')), settled('success')])).toMatchObject([{ failed: false }]);
  expect(pairsIn([asks(read('a')), settled('cap_hit')])).toMatchObject([{ failed: true }]);
  expect(pairsIn([asks(read('a')), settled('abort')])).toEqual([]);
});
