import { between, type Point, rounded, type Way } from './geometry.ts';

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
