import { escaped } from './html-text.ts';
import { PLOT, short, yOf } from './plot-scale.ts';

/** A plot with its axis of values and a description for readers who do not see it. */
export function plotFrame(
  title: string,
  { ticks, drawn }: { readonly ticks: readonly number[]; readonly drawn: readonly string[] },
): string {
  const most = ticks.at(-1) ?? 1;
  const right = PLOT.width - PLOT.right;
  return [
    `<svg class="plot" viewBox="0 0 ${PLOT.width} ${PLOT.height}" role="img" aria-label="${escaped(title)}">`,
    ...ticks.flatMap((tick) => [
      `<line class="rule" x1="${PLOT.left}" x2="${right}" y1="${yOf(tick, most)}" y2="${yOf(tick, most)}"/>`,
      `<text class="tick" x="${PLOT.left - 8}" y="${yOf(tick, most) + 4}" text-anchor="end">${short(tick)}</text>`,
    ]),
    ...drawn,
    '</svg>',
  ].join('\n');
}

/** A label below the plot, around a place, or before or after it. */
export const below = (x: number, text: string, anchor: 'start' | 'middle' | 'end' = 'middle'): string =>
  `<text class="tick" x="${Math.round(x)}" y="${PLOT.height - 12}" text-anchor="${anchor}">${escaped(text)}</text>`;
