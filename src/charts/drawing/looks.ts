import { TEXT_PX, TITLE_PX, between, type Point, rounded, type Way } from './geometry.ts';
import { type Colour, coloursOfEnding, palettes, plain } from './palette.ts';
import type { Box } from './sketch.ts';

/** Of an element of SVG, by name. One that is null is left out. */
export type Attributes = Readonly<Record<string, string | number | null>>;
type Content = readonly string[] | string | null;

/** An element of XML. An attribute that is null is left out. */
export function element(name: string, attributes: Attributes, content: Content = null): string {
  const given = Object.entries(attributes).map(([key, value]) => (value === null ? '' : ` ${key}="${written(value)}"`));
  const inside = typeof content === 'string' ? escaped(content) : content?.join('');
  return inside === undefined ? `<${name}${given.join('')}/>` : `<${name}${given.join('')}>${inside}</${name}>`;
}

const written = (value: string | number): string => (typeof value === 'number' ? `${rounded(value)}` : escaped(value));

/** What XML cannot hold at all is left out. */
const escaped = (text: string): string =>
  text
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

const CORNER_PX = 6;
const TIP_PX = { length: 8, width: 8 };

/** Draws a way, its corners round. */
export const line = (way: Way): string =>
  way
    .map((point, index) => {
      const [before, after] = [way[index - 1], way[index + 1]];
      if (!before) return `M${at(point)}`;
      if (!after) return `L${at(point)}`;
      return `L${at(towards(point, before))}Q${at(point)} ${at(towards(point, after))}`;
    })
    .join('');

/** Draws the head of an arrow. */
export function tip(way: Way): string {
  const [end, before] = [way.at(-1), way.at(-2)];
  if (!end || !before) return '';
  const length = Math.hypot(end.x - before.x, end.y - before.y) || 1;
  const ahead = { x: (end.x - before.x) / length, y: (end.y - before.y) / length };
  const corner = (side: number): Point => ({
    x: end.x - TIP_PX.length * ahead.x - side * ahead.y,
    y: end.y - TIP_PX.length * ahead.y + side * ahead.x,
  });
  return `M${at(end)}L${at(corner(TIP_PX.width / 2))}L${at(corner(-TIP_PX.width / 2))}Z`;
}

const at = ({ x, y }: Point): string => `${rounded(x)} ${rounded(y)}`;

function towards(from: Point, to: Point): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  return between(from, to, Math.min(CORNER_PX, length / 2) / length);
}

/** What the style sheet of a drawing is bound to, so that it changes nothing else on a page. */
export const DRAWING = 'loopfold-chart';

/** On the root: what text has unless it says otherwise. */
export const page = {
  'font-family': "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace",
  'font-size': TEXT_PX,
};

/** Looks are plain attributes, because many viewers of SVG know no style sheets, or no variables in them. */
export const looks = {
  page: { fill: plain('page') },
  title: { fill: plain('text'), 'font-size': TITLE_PX, 'font-weight': 600 },
  description: { fill: plain('muted') },
  text: { fill: plain('text') },
  untaken: { fill: plain('faint') },
  badge: { fill: plain('page'), stroke: plain('border') },
  here: { fill: plain('active') },
  start: { fill: plain('line') },
  rule: { fill: 'none', stroke: plain('border'), 'stroke-opacity': 0.4 },
} as const satisfies Readonly<Record<string, Attributes>>;

/** The frame of a state. The state that a run is in has a bold one; an ending has the colours of its kind. */
export function frameOf({ kind, path, active, parts }: Box): Attributes {
  const ending = kind === 'final' ? coloursOfEnding(path) : null;
  const width = active ? { 'stroke-width': 2.5 } : {};
  if (ending) return { fill: plain(ending.ground), stroke: plain(ending.edge), ...width };
  const fill: Colour = parts.length > 0 ? 'whole' : groundOf(kind, active);
  const dashes = kind === 'anywhere' ? { 'stroke-dasharray': '2 3' } : {};
  return { fill: plain(fill), stroke: plain(active ? 'active' : 'border'), ...width, ...dashes };
}

function groundOf(kind: Box['kind'], active: boolean): Colour {
  if (active) return 'here';
  return kind === 'final' ? 'final' : 'box';
}

/** The line of an arrow and its head. `isTaken`: by the run that is shown; null where no run is. */
export function arrowLooks(isAlways: boolean, isTaken: boolean | null): { line: Attributes; tip: Attributes } {
  const marked = isTaken ? 'text' : 'pale';
  const colour = plain(isTaken === null ? 'line' : marked);
  const dashes = isAlways ? { 'stroke-dasharray': '5 4' } : {};
  return {
    line: { fill: 'none', stroke: colour, 'stroke-width': isTaken ? 1.8 : 1.2, ...dashes },
    tip: { fill: colour },
  };
}

const declared = (palette: Readonly<Record<Colour, string>>): string =>
  Object.entries(palette)
    .map(([name, colour]) => `--${name}:${colour}`)
    .join(';');

/**
 * The style sheet for what was drawn: each plain colour becomes a variable, which is another in dark viewers. A viewer
 * that knows no variables skips all of it, and keeps the plain colours.
 */
export function styleFor(drawn: string): string {
  const rules = Object.entries(palettes.light).flatMap(([name, colour]) =>
    ['fill', 'stroke']
      .map((attribute) => ({ attribute, selector: `[${attribute}="${colour}"]` }))
      .filter(({ selector }) => drawn.includes(selector.slice(1, -1)))
      .map(({ attribute, selector }) => `.${DRAWING} ${selector}{${attribute}:var(--${name})}`),
  );
  return [
    '@supports (fill:var(--text)){',
    `.${DRAWING}{${declared(palettes.light)}}`,
    `@media (prefers-color-scheme:dark){.${DRAWING}{${declared(palettes.dark)}}}`,
    ...rules,
    '}',
  ].join('\n');
}
