import { element } from '../../../src/charts/drawing/looks.ts';
import { linear, written } from './scale.ts';
import { ADVANCE_PX, fill, type Ink, label, path, type Sheet, stroke } from './sheet.ts';

/** One bar; `low` and `high` draw its interval. */
export interface Bar {
  readonly name: string;
  readonly value: number;
  readonly low?: number;
  readonly high?: number;
  readonly ink: Ink;
  /** Behind the value. */
  readonly note?: string;
}

/** Bars below a heading of their own. */
export interface Group {
  readonly heading: string;
  readonly bars: readonly Bar[];
}

const WIDTH_PX = 760;
const ROW_PX = 24;
const BAR_PX = 14;
const HEADING_PX = 30;
const AXIS_PX = 44;
const VALUE_PX = 110;

/** Horizontal bars, all on one scale from zero. */
export function bars(groups: readonly Group[], unit: string): Pick<Sheet, 'width' | 'height' | 'drawn'> {
  const all = groups.flatMap((group) => group.bars);
  const left = Math.max(...all.map(({ name }) => name.length)) * ADVANCE_PX + 12;
  const scale = linear(Math.max(...all.map(({ value, high = value }) => high)), [left, WIDTH_PX - VALUE_PX]);
  const height = groups.reduce(
    (sum, { heading, bars: some }) => sum + (heading ? HEADING_PX : 0) + some.length * ROW_PX,
    0,
  );
  const drawn: string[] = scale.ticks.flatMap((tick) => [
    path(`M${scale.at(tick)} 0V${height}`, stroke('grid')),
    label(written(tick), scale.at(tick), height + 18, { 'text-anchor': 'middle', ...fill('muted') }),
  ]);
  let y = 0;
  for (const { heading, bars: some } of groups) {
    if (heading !== '') {
      drawn.push(label(heading, 0, y + 19, { 'font-weight': 600 }));
      y += HEADING_PX;
    }
    for (const bar of some) {
      drawn.push(...drawnBar(bar, y, left, scale.at));
      y += ROW_PX;
    }
  }
  drawn.push(label(unit, (left + WIDTH_PX - VALUE_PX) / 2, height + 38, { 'text-anchor': 'middle', ...fill('muted') }));
  return { width: WIDTH_PX, height: height + AXIS_PX, drawn };
}

function drawnBar({ name, value, low, high, ink, note }: Bar, y: number, left: number, at: (value: number) => number) {
  const middle = y + ROW_PX / 2;
  const end = at(Math.max(value, high ?? 0));
  const text = note === undefined ? written(value) : `${written(value)} ${note}`;
  return [
    label(name, left - 10, middle + 4.5, { 'text-anchor': 'end' }),
    element('rect', { x: left, y: middle - BAR_PX / 2, width: at(value) - left, height: BAR_PX, ...fill(ink) }),
    ...(low === undefined || high === undefined
      ? []
      : [
          path(
            `M${at(low)} ${middle}H${at(high)}M${at(low)} ${middle - 4}v8M${at(high)} ${middle - 4}v8`,
            stroke('text', 1.3),
          ),
        ]),
    label(text, end + 7, middle + 4.5, fill('muted')),
  ];
}
