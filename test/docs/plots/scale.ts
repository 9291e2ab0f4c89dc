/** From values to places on the page. */
export interface Scale {
  readonly at: (value: number) => number;
  /** Values that get a line and a label. */
  readonly ticks: readonly number[];
}

const STEPS_OF_TICKS = [1, 2, 2.5, 5, 10];
const MOST_TICKS = 7;

/** From 0 to at least so much, in steps that read well. */
export function linear(most: number, [from, to]: readonly [number, number]): Scale {
  const rough = most / MOST_TICKS;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * (STEPS_OF_TICKS.find((one) => one * power >= rough) ?? 10);
  const count = Math.ceil(most / step - 1e-9);
  const ticks = Array.from({ length: count + 1 }, (_, n) => Number((n * step).toPrecision(6)));
  const top = count * step;
  return { at: (value) => from + ((to - from) * value) / top, ticks };
}

/** From the 1, 2 or 5 below the least to the one above the most, each step as wide as its factor. */
export function logarithmic(least: number, most: number, [from, to]: readonly [number, number]): Scale {
  const powers = Array.from({ length: 12 }, (_, n) => 10 ** (n - 3));
  const marks = powers.flatMap((power) => [power, 2 * power, 5 * power]);
  const low = marks.findLast((mark) => mark <= least) ?? least;
  const high = marks.find((mark) => mark >= most) ?? most;
  const span = Math.log(high / low);
  return {
    at: (value) => from + ((to - from) * Math.log(value / low)) / span,
    ticks: marks.filter((mark) => mark >= low && mark <= high),
  };
}

/** As labels and texts have it: three digits, thousands apart. */
export const written = (value: number): string => {
  if (value === 0) return '0';
  const digits = value >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(value < 1 ? 2 : 3)));
  return digits.replaceAll(/\B(?=(\d{3})+$)/g, ',');
};
