/** How often the pairs are drawn again: enough for two digits of a 95 % interval. */
const RESAMPLES = 2_000;
const LOWER = 0.025;
const UPPER = 0.975;

/** The median of ratios, and its 95 % bootstrap interval. */
export interface MedianRatio {
  readonly ratio: number;
  readonly low: number;
  readonly high: number;
}

/**
 * The median of measured ratios with its 95 % percentile bootstrap interval. The same ratios and seed give the same
 * interval. Throws a `RangeError` without ratios, or where one is no positive finite number.
 *
 * @example
 * medianRatio([0.5, 0.51, 0.49], 7).ratio; // 0.5
 */
export function medianRatio(ratios: readonly number[], seed: number): MedianRatio {
  if (ratios.length === 0 || !ratios.every((ratio) => ratio > 0 && Number.isFinite(ratio)))
    throw new RangeError(`a median needs positive ratios: ${ratios.join(', ')}`);
  const random = randomFrom(seed);
  const drawn = () => ratios[Math.floor(random() * ratios.length)] ?? 1;
  const sample = new Float64Array(ratios.length);
  const medians = new Float64Array(RESAMPLES).map(() => median(sample.map(drawn))).toSorted();
  return {
    ratio: median(Float64Array.from(ratios)),
    low: medians[Math.floor(LOWER * RESAMPLES)] ?? 1,
    high: medians[Math.ceil(UPPER * RESAMPLES) - 1] ?? 1,
  };
}

/** An array of numbers alone is sorted without a call for each pair. */
function median(values: Float64Array): number {
  const sorted = values.toSorted();
  const [low = 1, high = 1] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.ceil((sorted.length - 1) / 2)]];
  return (low + high) / 2;
}

const STEP = 0x6d2b79f5;
const UINT32 = 2 ** 32;

/** Numbers from 0 to below 1: mulberry32, which has a period of 2³² and passes the usual tests. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + STEP) >>> 0;
    const mixed = Math.imul(state ^ (state >>> 15), state | 1);
    const again = mixed ^ (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61));
    return ((again ^ (again >>> 14)) >>> 0) / UINT32;
  };
}
