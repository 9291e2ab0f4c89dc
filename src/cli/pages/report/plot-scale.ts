/** The room that plots are drawn in, in pixels at their own size: pages shrink them as a whole. */
export const PLOT = { width: 720, height: 220, left: 64, right: 16, top: 16, bottom: 34 } as const;

export const INNER_WIDTH = PLOT.width - PLOT.left - PLOT.right;
const INNER_HEIGHT = PLOT.height - PLOT.top - PLOT.bottom;

const MOST_TICKS = 4;
const STEPS = [1, 2, 5, 10];

/**
 * Whole numbers from 0 up to the first round one that is not below the largest value, at even steps.
 *
 * @example
 * ticksUpTo(830); // [0, 500, 1000]
 */
export function ticksUpTo(largest: number): readonly number[] {
  const raw = Math.max(1, largest) / MOST_TICKS;
  const size = 10 ** Math.floor(Math.log10(raw));
  const step = Math.max(1, (STEPS.find((one) => one * size >= raw) ?? 10) * size);
  const count = Math.ceil(Math.max(1, largest) / step);
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}

/** From the top of a plot. */
export const yOf = (value: number, most: number): number => Math.round(PLOT.top + INNER_HEIGHT * (1 - value / most));

/** A count where there is little room: `1.2k`, `3M`. */
export function short(count: number): string {
  if (count >= 1e6) return `${trimmed(count / 1e6)}M`;
  return count >= 1e4 ? `${trimmed(count / 1e3)}k` : `${count}`;
}

const trimmed = (value: number): string => value.toFixed(1).replace(/\.0$/, '');
