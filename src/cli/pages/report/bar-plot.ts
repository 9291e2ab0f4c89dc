import type { Bars } from '../../../kernel/report-page.ts';
import { grouped } from '../../../text/amount.ts';
import { escaped } from './html-text.ts';
import { below, plotFrame } from './plot-frame.ts';
import { INNER_WIDTH, PLOT, ticksUpTo, yOf } from './plot-scale.ts';

/** The most labels below a plot that can be read. */
const MOST_LABELS = 10;
const WIDEST_BAR = 48;
/** Of the room of a group. */
const FILLED = 0.7;

/** Bars with a part for each name, the first at the bottom, and what the colours mean. */
export function barPlot({ title, unit, group, parts, groups }: Bars): string {
  const totals = groups.map(({ values }) => values.reduce((sum, value) => sum + value, 0));
  const ticks = ticksUpTo(Math.max(0, ...totals));
  const room = INNER_WIDTH / Math.max(1, groups.length);
  const width = Math.max(1, Math.min(WIDEST_BAR, room * FILLED));
  const every = Math.ceil(groups.length / MOST_LABELS);
  const bars = groups.flatMap(({ name, values }, index) => {
    const middle = PLOT.left + room * (index + 0.5);
    const place = { x: middle - width / 2, width, most: ticks.at(-1) ?? 1 };
    const said = (value: number, part: number) => `${group} ${name}, ${parts[part]}: ${grouped(value)} ${unit}`;
    return [...partsOf(values, place, said), ...(index % every === 0 ? [below(middle, name)] : [])];
  });
  const key = parts.map((part, index) => `<span><i class="part${index}"></i>${escaped(part)}</span>`).join('');
  const sums = groups.map(({ name }, index) => `${group} ${name}: ${grouped(totals[index] ?? 0)} ${unit}`);
  const described = `${title}: ${sums.join('; ')}`;
  return [
    `<figure><figcaption>${escaped(title)}</figcaption>`,
    plotFrame(described, { ticks, drawn: bars }),
    `<p class="key">${key}</p></figure>`,
  ].join('\n');
}

interface Place {
  readonly x: number;
  readonly width: number;
  readonly most: number;
}

function partsOf(
  values: readonly number[],
  { x, width, most }: Place,
  said: (value: number, part: number) => string,
): readonly string[] {
  let below = 0;
  return values.flatMap((value, part) => {
    const bottom = yOf(below, most);
    below += value;
    const top = yOf(below, most);
    if (value === 0) return [];
    // What is there is seen, however little it is.
    const height = Math.max(1, bottom - top);
    const shape = `x="${x.toFixed(1)}" y="${bottom - height}" width="${width.toFixed(1)}" height="${height}"`;
    return [`<rect class="part${part}" ${shape}><title>${escaped(said(value, part))}</title></rect>`];
  });
}
