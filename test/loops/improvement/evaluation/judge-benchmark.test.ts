import { expect, test } from 'vitest';
import {
  cannotBeWorse,
  judgeBenchmark,
  notWorse,
} from '../../../../src/loops/improvement/evaluation/judge-benchmark.ts';
import { medianRatio } from '../../../../src/loops/improvement/evaluation/median-ratio.ts';
import { fc } from '../../../support/fast-check.ts';
import { testInTurn } from '../../../support/in-turn.ts';
import { tenthOfMany } from '../../../support/tenth.ts';

const ratios = fc.array(fc.double({ min: 0.01, max: 100, noNaN: true }), { minLength: 9, maxLength: 31 });
const seeds = fc.integer({ min: 0, max: 0xffffffff });

testInTurn('I9 the interval of a median has it within, and is the same for the same seed', () => {
  fc.assert(
    fc.property(ratios, seeds, (measured, seed) => {
      const { ratio, low, high } = medianRatio(measured, seed);
      expect(low).toBeLessThanOrEqual(ratio);
      expect(high).toBeGreaterThanOrEqual(ratio);
      expect(low).toBeGreaterThanOrEqual(Math.min(...measured));
      expect(high).toBeLessThanOrEqual(Math.max(...measured));
      expect(medianRatio(measured, seed)).toEqual({ ratio, low, high });
      expect(medianRatio(measured.toReversed(), seed).ratio).toBe(ratio);
    }),
    { numRuns: 50 },
  );
});

testInTurn('I9 of two draws of one noise, an interval says seldom that they differ', () => {
  // A deterministic noise of ±20 %: by the definition of the interval about one in twenty is wrong.
  let wrong = 0;
  const sample = fc.sample(
    fc.array(fc.double({ min: 0.8, max: 1.25, noNaN: true }), { minLength: 15, maxLength: 15 }),
    {
      numRuns: 200,
      seed: 7,
    },
  );
  for (const [seed, measured] of sample.entries()) {
    const even = measured.map((ratio, index) => (index % 2 === 0 ? ratio : 1 / ratio));
    const { low, high } = medianRatio(even, seed);
    if (low > 1 || high < 1) wrong += 1;
  }
  expect(wrong).toBeLessThan(30);
});

test('I9 a median needs ratios above 0', () => {
  expect(() => medianRatio([], 1)).toThrow(RangeError);
  expect(() => medianRatio([1, 0], 1)).toThrow('positive');
});

const HOW = { name: 'sum', threshold: 0.9, higherIsBetter: false, seed: 1, hasToImprove: true };
const pairsOf = (...candidates: readonly number[]) => candidates.map((candidate) => ({ head: 100, candidate }));
const nine = (candidate: number) => pairsOf(...Array.from({ length: 9 }, () => candidate));

test('I9 an improvement has to lie beyond the threshold with its whole interval', () => {
  expect(judgeBenchmark(nine(80), HOW)).toMatchObject({ passed: true, measurement: { ratio: 0.8, pairs: 9 } });
  expect(judgeBenchmark(nine(95), HOW)).toMatchObject({ passed: false, detail: expect.stringContaining('not enough') });
  const noisy = judgeBenchmark(pairsOf(80, 80, 80, 80, 80, 130, 130, 130, 130), HOW);
  expect(noisy).toMatchObject({ passed: false, detail: expect.stringContaining('is noise: interval 0.8–1.3') });
  expect(judgeBenchmark(nine(120), HOW)).toMatchObject({ passed: false, detail: expect.stringContaining('is worse') });
});

test('I9 where more is better, the inverse of the threshold is the bar', () => {
  const more = { ...HOW, higherIsBetter: true };
  expect(judgeBenchmark(nine(120), more)).toMatchObject({ passed: true });
  expect(judgeBenchmark(nine(105), more)).toMatchObject({ passed: false });
  expect(judgeBenchmark(nine(80), more)).toMatchObject({ passed: false, detail: expect.stringContaining('is worse') });
});

test('I9 a candidate for something else is refused only by a clear regression', () => {
  const other = { ...HOW, hasToImprove: false };
  expect(judgeBenchmark(nine(105), other)).toMatchObject({ passed: true });
  expect(judgeBenchmark(pairsOf(80, 80, 80, 80, 80, 130, 130, 130, 130), other)).toMatchObject({ passed: true });
  expect(judgeBenchmark(nine(120), other)).toMatchObject({ passed: false });
});

testInTurn('I9 pairs are cut short only where the verdict of all of them is that nothing is worse', () => {
  const near = fc.array(fc.double({ min: 0.7, max: 1.6, noNaN: true }), { minLength: 9, maxLength: 15 });
  const cuts: number[] = [];
  fc.assert(
    fc.property(
      near,
      seeds,
      fc.boolean(),
      fc.double({ min: 0.8, max: 1, noNaN: true }),
      (all, seed, more, threshold) => {
        const pairs = all.map((candidate) => ({ head: 1, candidate }));
        const how = { ...HOW, higherIsBetter: more, threshold, seed, hasToImprove: false, pairs: pairs.length };
        const cut = pairs.findIndex((_, index) => cannotBeWorse(pairs.slice(0, index + 1), how));
        const whole = judgeBenchmark(pairs, how);
        // At the latest with the last pair it is known.
        expect(cut !== -1).toBe(whole.passed);
        if (cut !== -1) cuts.push(cut + 1);
      },
    ),
    { numRuns: tenthOfMany(1_000) },
  );
  expect(Math.min(...cuts)).toBeLessThan(4);
});

test('I9 a benchmark that a candidate is not for is over after two even pairs, and not after one', () => {
  const how = { ...HOW, threshold: 0.95, hasToImprove: false, pairs: 9 };
  expect([1, 2, 3].map((count) => cannotBeWorse(nine(100).slice(0, count), how))).toEqual([false, true, true]);
  expect(cannotBeWorse(nine(120).slice(0, 8), how)).toBe(false);
  expect(notWorse(nine(100).slice(0, 2), how)).toMatchObject({
    passed: true,
    detail: 'sum is not clearly worse: after 2 of 9 pairs (1, 1) no others could have made it so',
    measurement: { pairs: 2, seed: 1 },
  });
});
