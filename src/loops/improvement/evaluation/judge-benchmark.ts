import type { Measurement } from '../../../../machines/improvement-facts.ts';
import type { Benchmark } from '../../../../machines/improvement-options.ts';
import { medianRatio } from './median-ratio.ts';

/** One measured pair: the head, and the candidate right before or after it. */
export interface MeasuredPair {
  readonly head: number;
  readonly candidate: number;
}

interface JudgedBenchmark {
  readonly passed: boolean;
  readonly detail: string;
  readonly measurement: Measurement;
}

type Judging = Pick<Benchmark, 'name' | 'threshold' | 'higherIsBetter'> & {
  readonly seed: number;
  /** The candidate is for this benchmark: it has to be better. Any other one only must not be clearly worse. */
  readonly hasToImprove: boolean;
};

/**
 * What measured pairs say of a candidate, by the whole interval of the median ratio. `threshold` is the ratio where
 * less is better; where more is better its inverse counts. Throws a `RangeError` where a measured value is not above 0.
 *
 * @example
 * const pairs = Array.from({ length: 9 }, () => ({ head: 100, candidate: 50 }));
 * judgeBenchmark(pairs, { name: 'sum', threshold: 0.95, higherIsBetter: false, seed: 1, hasToImprove: true }).passed;
 */
export function judgeBenchmark(pairs: readonly MeasuredPair[], how: Judging): JudgedBenchmark {
  const { name, threshold, higherIsBetter, seed, hasToImprove } = how;
  const found = medianRatio(
    pairs.map(({ head, candidate }) => candidate / head),
    seed,
  );
  const measurement = { pairs: pairs.length, ...found, seed, threshold };
  // As where less is better: then one comparison serves both.
  const { low, high } = higherIsBetter ? { low: 1 / found.high, high: 1 / found.low } : found;
  const bar = barOf(threshold);
  const interval = `interval ${shown(found.low)}–${shown(found.high)} of candidate ÷ head, ${pairs.length} pairs`;
  const isWorse = low > 1 / bar;
  if (isWorse) return { passed: false, detail: `${name} is worse: ${interval}`, measurement };
  if (!hasToImprove) return { passed: true, detail: `${name} is not clearly worse: ${interval}`, measurement };
  // With a threshold of 1 any difference counts that is one.
  if (high < bar) return { passed: true, detail: `${name} is better: ${interval}`, measurement };
  const wanted = higherIsBetter ? `above ${shown(1 / bar)}` : `below ${shown(bar)}`;
  const isNoise = low <= 1 && high >= 1;
  const detail = isNoise
    ? `the benchmark ${name} is noise: ${interval}; wanted: all of it ${wanted}`
    : `${name} is not enough: ${interval}; wanted: all of it ${wanted}`;
  return { passed: false, detail, measurement };
}

const barOf = (threshold: number): number => Math.min(threshold, 1 / threshold);

/** A ratio beyond all that are measured, whose sums are still numbers. */
const FAR = 1e150;

/**
 * Whether a benchmark that a candidate is not for is already known to refuse it not: no values of the pairs that are
 * left would make the whole interval lie beyond the threshold. It is drawn as it would be at the end, by the same seed,
 * with the worst that could come in place of what is left; so the verdict is that of all pairs, and no look at it is
 * one too many.
 *
 * @example
 * const even = { head: 100, candidate: 100 };
 * cannotBeWorse([even, even, even], { threshold: 0.95, higherIsBetter: false, seed: 1, pairs: 9 }); // true
 */
export function cannotBeWorse(
  found: readonly MeasuredPair[],
  { threshold, higherIsBetter, seed, pairs }: Pick<Benchmark, 'threshold' | 'higherIsBetter' | 'pairs'> & Seeded,
): boolean {
  const worst = higherIsBetter ? 1 / FAR : FAR;
  const left = Array.from({ length: Math.max(0, pairs - found.length) }, () => worst);
  const { low, high } = medianRatio([...found.map(({ head, candidate }) => candidate / head), ...left], seed);
  const bar = barOf(threshold);
  return higherIsBetter ? 1 / high <= 1 / bar : low <= 1 / bar;
}

interface Seeded {
  readonly seed: number;
}

/** The verdict on a candidate whose pairs were cut short, because it could not be worse whatever they were. */
export function notWorse(found: readonly MeasuredPair[], how: Judging & Pick<Benchmark, 'pairs'>): JudgedBenchmark {
  const { measurement } = judgeBenchmark(found, how);
  const ratios = found.map(({ head, candidate }) => shown(candidate / head)).join(', ');
  const detail =
    `${how.name} is not clearly worse: after ${found.length} of ${how.pairs} pairs (${ratios}) no others could ` +
    'have made it so';
  return { passed: true, detail, measurement };
}

const DIGITS = 3;
const shown = (ratio: number): string => String(Number(ratio.toPrecision(DIGITS)));
