import { type Attributes, element } from '../../../src/charts/drawing/looks.ts';

/** Colours by what they are for, in light and in dark viewers: told apart without red and green, and in grey. */
const COLOURS = {
  page: ['#ffffff', '#0d1117'],
  text: ['#17202e', '#e8edf5'],
  muted: ['#526078', '#a8b5c9'],
  grid: ['#dfe4ec', '#2a3342'],
  ours: ['#0b66d8', '#6cb0ff'],
  second: ['#b35900', '#f0a35e'],
  other: ['#8590a2', '#77859b'],
} as const;
export type Ink = keyof typeof COLOURS;

const PADDING_PX = 16;
const TEXT_PX = 13;
const TITLE_PX = 16;
const HEAD_PX = 54;
/** Of a letter of the font, about; labels are measured by it. */
export const ADVANCE_PX = 7.2;

export interface Sheet {
  readonly title: string;
  /** One line below the title: what is shown, in which units. */
  readonly subtitle: string;
  readonly width: number;
  /** Of what is drawn below the title; it has its origin there. */
  readonly height: number;
  readonly drawn: readonly string[];
}

/** A picture of a plot, for light pages and dark ones. The same numbers give the same text, byte for byte. */
export function sheet({ title, subtitle, width, height, drawn }: Sheet): string {
  const [w, h] = [width + 2 * PADDING_PX, height + HEAD_PX + 2 * PADDING_PX];
  const root = {
    xmlns: 'http://www.w3.org/2000/svg',
    class: 'loopfold-plot',
    role: 'img',
    width: w,
    height: h,
    viewBox: `0 0 ${w} ${h}`,
    'font-family': "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif",
    'font-size': TEXT_PX,
  };
  const parts = [
    element('title', {}, title),
    element('desc', {}, subtitle),
    `<style>${style()}</style>`,
    element('rect', { width: w, height: h, ...fill('page') }),
    label(title, PADDING_PX, PADDING_PX + TITLE_PX, { 'font-size': TITLE_PX, 'font-weight': 600 }),
    label(subtitle, PADDING_PX, PADDING_PX + TITLE_PX + 22, { ...fill('muted') }),
    element('g', { transform: `translate(${PADDING_PX} ${PADDING_PX + HEAD_PX})` }, [
      ...drawn.map((part) => `\n${part}`),
      '\n',
    ]),
  ];
  return `${element(
    'svg',
    root,
    parts.map((part) => `\n${part}`),
  )}\n`;
}

/** A class for the style sheet, and a plain colour for viewers that know none. */
export const fill = (ink: Ink): Attributes => ({ class: `fill-${ink}`, fill: COLOURS[ink][0] });

export const stroke = (ink: Ink, width = 1): Attributes => ({
  class: `stroke-${ink}`,
  fill: 'none',
  stroke: COLOURS[ink][0],
  'stroke-width': width,
});

export const label = (text: string, x: number, y: number, more: Attributes = {}): string =>
  element('text', { x, y, ...fill('text'), ...more }, text);

export const path = (d: string, more: Attributes): string => element('path', { d, ...more });

function style(): string {
  const dark = Object.entries(COLOURS).map(
    ([ink, [, colour]]) => `.fill-${ink}{fill:${colour}}.stroke-${ink}{stroke:${colour}}`,
  );
  return `@media (prefers-color-scheme:dark){${dark.join('')}}`;
}
