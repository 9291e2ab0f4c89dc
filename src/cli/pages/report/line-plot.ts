import type { Line } from '../../../kernel/report-page.ts';
import { amount } from '../../../text/amount.ts';
import { span } from '../../../projections/phrases.ts';
import { escaped } from './html-text.ts';
import { below, plotFrame } from './plot-frame.ts';
import { INNER_WIDTH, PLOT, ticksUpTo, yOf } from './plot-scale.ts';

/** More points than these are a line, whose dots would hide its steps. */
const MOST_DOTS = 40;

/** Labels below the plot, by their part of the whole time. */
const LABELS = [
  { part: 0, anchor: 'start' },
  { part: 0.5, anchor: 'middle' },
  { part: 1, anchor: 'end' },
] as const;

/** An amount over time, as steps: it stands still between its points. */
export function linePlot({ title, unit, points }: Line): string {
  const last = points.at(-1);
  if (!last) return '';
  const wholeMs = Math.max(1, last.atMs);
  const ticks = ticksUpTo(Math.max(...points.map(({ value }) => value)));
  const most = ticks.at(-1) ?? 1;
  const xOf = (atMs: number) => (PLOT.left + (INNER_WIDTH * atMs) / wholeMs).toFixed(1);
  const steps = points.map(({ atMs, value }) => `H${xOf(atMs)}V${yOf(value, most)}`).join('');
  const inAll = amount(last.value, unit.replace(/s$/, ''));
  const radius = points.length > MOST_DOTS ? 1 : 3;
  const dots = points.map(({ atMs, value }) => {
    const said = `${span(atMs)}: ${amount(value, unit.replace(/s$/, ''))}`;
    const place = `cx="${xOf(atMs)}" cy="${yOf(value, most)}"`;
    return `<circle class="dot" ${place} r="${radius}"><title>${escaped(said)}</title></circle>`;
  });
  return [
    `<figure><figcaption>${escaped(title)}</figcaption>`,
    plotFrame(`${title}: ${inAll} after ${span(last.atMs)}`, {
      ticks,
      drawn: [
        `<path class="line" d="M${xOf(0)} ${yOf(0, most)}${steps}"/>`,
        ...dots,
        ...LABELS.map(({ part, anchor }) =>
          below(PLOT.left + INNER_WIDTH * part, part === 0 ? '0' : span(wholeMs * part), anchor),
        ),
      ],
    }),
    '</figure>',
  ].join('\n');
}
