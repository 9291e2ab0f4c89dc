import { type Figure, holds } from './measure.ts';

/** A figure as one line of a report: whether it holds, its interval, and what is wanted. */
export function lineOf(figure: Figure): string {
  const { name, value, unit } = figure;
  const verdict = holds(figure) ? 'ok  ' : 'MISS';
  return `  ${verdict} ${name.padEnd(48)} ${rounded(value).padStart(9)} ${unit}${interval(figure)}${wanted(figure)}`;
}

function rounded(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}

function interval({ low, high }: Figure): string {
  return low === undefined || high === undefined ? '' : ` [${rounded(low)}, ${rounded(high)}]`;
}

function wanted({ bound, absolute }: Figure): string {
  if (bound === null) return '';
  const [word, number] = 'atLeast' in bound ? ['at least', bound.atLeast] : ['at most', bound.atMost];
  return `   (${word} ${number}${absolute ? `, asserted at ${'atLeast' in bound ? 'half' : 'twice'} that` : ''})`;
}
