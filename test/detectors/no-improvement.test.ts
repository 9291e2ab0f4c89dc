import { expect, test } from 'vitest';
import { noImprovement } from '../../src/detectors/no-improvement.ts';
import { outcomeOf } from '../support/facts.ts';
import { foundIn, loopOf } from './folding.ts';

const red = (testsFailed: number) => ({ prints: 'red', testsFailed });

test('D11 three iterations that come no further than the best before them stop the loop, two do not', () => {
  expect(foundIn(noImprovement(), loopOf(red(4), red(4), red(4)))).toEqual([]);
  expect(foundIn(noImprovement(), loopOf(red(4), red(4), red(5), red(4)))).toEqual([
    {
      detector: 'no-improvement',
      level: 'stop',
      count: 3,
      message: '3 iterations in a row without an improvement in the checks',
      evidence: ['run/10', 'run/15', 'run/20'],
    },
  ]);
});

test('D11 fewer failed tests or more passed checks are an improvement, a return to an earlier result is not', () => {
  expect(foundIn(noImprovement(), loopOf(...[9, 8, 8, 8, 7, 7, 7, 6].map(red)))).toEqual([]);
  expect(foundIn(noImprovement(), loopOf(red(4), red(9), red(9), { prints: null }))).toEqual([]);
  expect(foundIn(noImprovement(), loopOf(red(4), red(9), red(4), red(9)))).toHaveLength(1);
});

test('D11 an attempt that fails is no improvement; without checks there is nothing to measure', () => {
  const failed = { outcome: outcomeOf('cap_hit') };
  expect(foundIn(noImprovement(), loopOf(red(4), failed, failed))).toEqual([]);
  expect(foundIn(noImprovement(), loopOf(red(4), failed, failed, failed))).toHaveLength(1);
  expect(foundIn(noImprovement(), loopOf(failed, failed, failed, failed, failed, failed))).toEqual([]);
});

test('I5 D11 from the fifth iteration on, less than one improvement in ten stops the loop', () => {
  const detector = () => noImprovement({ iterations: 100, minRate: 0.3, rateFrom: 5 });
  expect(foundIn(detector(), loopOf(...[5, 5, 5, 5].map(red)))).toEqual([]);
  expect(foundIn(detector(), loopOf(...[5, 5, 5, 5, 5].map(red)))).toMatchObject([
    { message: 'only 1 of 5 iterations were an improvement in the checks' },
  ]);
  expect(foundIn(detector(), loopOf(...[5, 4, 4, 4, 4, 4].map(red)))).toEqual([]);
  const eleven = [9, 9, 9, 9, 9, 9, 9, 9, 9, 9].map(red);
  expect(foundIn(noImprovement({ iterations: 100, minRate: 0.1, rateFrom: 5 }), loopOf(...eleven))).toEqual([]);
  expect(
    foundIn(noImprovement({ iterations: 100, minRate: 0.1, rateFrom: 5 }), loopOf(...eleven, red(9))),
  ).toHaveLength(1);
});
