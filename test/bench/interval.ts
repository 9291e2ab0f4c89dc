import { median } from './measure.ts';

/** A median of many blocks, and between which values the true one lies with 95 % confidence. */
export interface Estimate {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** 1.96 standard deviations of how many of `n` values lie below their median. */
const NORMAL_95 = 1.96;

/** The median, with the interval that the order of the values gives: nothing is assumed of how they are spread. */
export function estimate(values: readonly number[]): Estimate {
  const sorted = values.toSorted((a, b) => a - b);
  const half = (NORMAL_95 * Math.sqrt(sorted.length)) / 2;
  const low = Math.max(0, Math.floor(sorted.length / 2 - half));
  const high = Math.min(sorted.length - 1, Math.ceil(sorted.length / 2 + half));
  return { value: median(sorted), low: sorted[low] ?? Number.NaN, high: sorted[high] ?? Number.NaN };
}
