import { createHash } from 'node:crypto';
import type { Arrow } from './draw-arrows.ts';
import { graphOf } from './elk-page.ts';
import { type Area, type Point, type Size, sizeOf, type Way } from './geometry.ts';
import { type Box, boxesIn, type Sketch } from './sketch.ts';

/** A sketch in which everything has its place. */
export interface Layout extends Size {
  readonly boxes: readonly PlacedBox[];
  readonly arrows: readonly PlacedArrow[];
}

export interface PlacedBox {
  readonly box: Box;
  readonly area: Area;
  /** Where its own text goes: all of it, or what arrows into its parts leave free. */
  readonly head: Area;
}

export interface PlacedArrow {
  readonly arrow: Arrow;
  readonly way: Way;
  /** Where its lines of text go: across the way. Null where it has none. */
  readonly label: Area | null;
}

/** The name under which the layout of a sketch is kept: it follows from everything that the layout depends on. */
export const layoutKey = (drawn: Sketch): string =>
  createHash('sha256')
    .update(JSON.stringify(graphOf(drawn)))
    .digest('hex')
    .slice(0, KEY_CHARACTERS);

const KEY_CHARACTERS = 24;

/** The layout of a machine that ships, as `npm run docs` computed it. Null: none is kept of this sketch. */
export async function keptLayout(drawn: Sketch): Promise<Layout | null> {
  const { default: kept } = await import('./layouts.json', { with: { type: 'json' } });
  const byKey: Readonly<Record<string, string>> = kept;
  const numbers = byKey[layoutKey(drawn)];
  return numbers === undefined ? null : layoutFrom(numbers.split(' ').map(Number), drawn);
}

/**
 * The numbers of a layout as text, in the order of its sketch, and nothing that the sketch says itself: the size, two
 * areas for each box, the points and the label of each arrow.
 */
export const numbersOf = ({ width, height, boxes, arrows }: Layout): string =>
  [
    width,
    height,
    ...boxes.flatMap(({ area, head }) => [area, head].flatMap((one) => [one.x, one.y, one.width, one.height])),
    ...arrows.flatMap(({ way, label }) => [
      way.length,
      ...way.flatMap(({ x, y }) => [x, y]),
      ...(label ? [label.x, label.y] : []),
    ]),
  ].join(' ');

/** The reverse of `numbersOf`. */
function layoutFrom(numbers: readonly number[], drawn: Sketch): Layout {
  const left = numbers.values();
  const next = (): number => left.next().value ?? 0;
  const point = (): Point => ({ x: next(), y: next() });
  const area = (): Area => ({ ...point(), width: next(), height: next() });
  return {
    width: next(),
    height: next(),
    boxes: boxesIn(drawn.boxes).map((box) => ({ box, area: area(), head: area() })),
    arrows: drawn.arrows.map((arrow) => ({
      arrow,
      way: Array.from({ length: next() }, point),
      label: arrow.lines.length === 0 ? null : { ...point(), ...sizeOf(arrow.lines) },
    })),
  };
}
