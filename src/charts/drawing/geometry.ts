import type { Line } from './lines.ts';
import type { Box } from './sketch.ts';

/** All in pixels, from the upper left corner. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Area extends Point, Size {}

/** A line through points, each joined to the next. */
export type Way = readonly Point[];

/** Rounds to tenths of a pixel: finer differences are invisible, and may vary between platforms. */
export const rounded = (pixels: number): number => Math.round(pixels * 10) / 10;

export const areaOf = ({ x = 0, y = 0, width = 0, height = 0 }: Partial<Area>, origin: Point): Area => ({
  x: rounded(origin.x + x),
  y: rounded(origin.y + y),
  width: rounded(width),
  height: rounded(height),
});

/** A way without what lies in an area. */
export function cut(way: Way, area: Area): Way[] {
  const pieces: Point[][] = [way.slice(0, 1)];
  for (const [from, to] of legsOf(way)) {
    const part = partIn(area, from, to);
    if (part && part.enter > 0) pieces.at(-1)?.push(between(from, to, part.enter));
    if (part) pieces.push(part.leave < 1 ? [between(from, to, part.leave)] : []);
    if (!part || part.leave < 1) pieces.at(-1)?.push(to);
  }
  return pieces.filter((piece) => piece.length > 1);
}

/** From where to where, across the page, a way runs through an area. */
export const spansIn = (area: Area, way: Way): { readonly left: number; readonly right: number }[] =>
  legsOf(way)
    .filter(([from, to]) => partIn(area, from, to) !== null)
    .map(([from, to]) => ({ left: Math.min(from.x, to.x), right: Math.max(from.x, to.x) }));

const legsOf = (way: Way): (readonly [Point, Point])[] => way.slice(1).map((to, index) => [way[index] ?? to, to]);

/** Where a straight line enters an area and leaves it, as parts of its length. Null where it passes by. */
function partIn(area: Area, from: Point, to: Point): { readonly enter: number; readonly leave: number } | null {
  const across = crossing(from.x, to.x, area.x, area.x + area.width);
  const down = crossing(from.y, to.y, area.y, area.y + area.height);
  const enter = Math.max(0, across.enter, down.enter);
  const leave = Math.min(1, across.leave, down.leave);
  return enter < leave ? { enter, leave } : null;
}

function crossing(from: number, to: number, low: number, high: number): { enter: number; leave: number } {
  if (from === to) return low < from && from < high ? { enter: 0, leave: 1 } : { enter: 1, leave: 0 };
  const [a, b] = [(low - from) / (to - from), (high - from) / (to - from)];
  return { enter: Math.min(a, b), leave: Math.max(a, b) };
}

/** The point that lies a part of the way between two others. */
export const between = (from: Point, to: Point, part: number): Point => ({
  x: rounded(from.x + (to.x - from.x) * part),
  y: rounded(from.y + (to.y - from.y) * part),
});

export const TITLE_PX = 14;
export const TEXT_PX = 11;
export const TITLE_LINE_PX = 20;
export const TEXT_LINE_PX = 15;
export const INSET_PX = 12;
/** Between what a state is and what it does. */
export const GAP_PX = 6;
export const DOT_PX = 12;
/** Between a title and what stands beside it. */
const MARK_PX = 18;
const MOST_COLUMNS = 34;
/** Endings stand side by side. */
const MOST_COLUMNS_OF_AN_ENDING = 22;
/** The width of a character, as a part of the font size, in the widest of the usual monospaced fonts. */
const NARROW = 0.62;
const WIDE = 1.25;
const FIRST_WIDE = 0x2e_80;

export function widthOf(text: string, size: number): number {
  const characters = [...text].map((character) => ((character.codePointAt(0) ?? 0) < FIRST_WIDE ? NARROW : WIDE));
  return Math.ceil(size * characters.reduce((sum, width) => sum + width, 0));
}

/** What a line says, and how often that was so. */
export const wordsOf = ({ text, taken }: Line): string => (taken ? `${text} ${timesOf(taken)}` : text);
/** A count in the room that there is for one: thousands above 9,999. */
export const timesOf = (count: number): string => (count < 10_000 ? `×${count}` : `×${Math.floor(count / 1_000)}k`);
/** The room for a count, whatever it is: a chart keeps its form while its run goes on. */
const ROOM_FOR_COUNT = '×9999';

export const sizeOf = (lines: readonly Line[]): Size => ({
  width: Math.max(
    0,
    ...lines.map(({ text, taken }) => widthOf(taken === null ? text : `${text} ${ROOM_FOR_COUNT}`, TEXT_PX)),
  ),
  height: lines.length * TEXT_LINE_PX,
});

/** The box without its parts: title, description, and what it does where it stands. */
export function headOf(box: Box): Size {
  if (box.kind === 'start') return { width: DOT_PX, height: DOT_PX };
  const description = descriptionOf(box);
  const lines = sizeOf(box.lines);
  const badge = box.visits === null ? 0 : MARK_PX + widthOf(ROOM_FOR_COUNT, TEXT_PX);
  const title = widthOf(box.title, TITLE_PX) + (box.active || box.visits !== null ? MARK_PX : 0) + badge;
  return {
    width: 2 * INSET_PX + Math.max(title, lines.width, ...description.map((line) => widthOf(line, TEXT_PX))),
    height: bodyAt(description) + (lines.height > 0 ? GAP_PX + lines.height : 0) + INSET_PX / 2,
  };
}

/** How far down a box what a state does begins. */
export const bodyAt = (description: readonly string[]): number =>
  INSET_PX / 2 + TITLE_LINE_PX + description.length * TEXT_LINE_PX;

/** A state's description in lines that its box can hold. */
export function descriptionOf({ kind, description }: Box): string[] {
  const columns = kind === 'final' ? MOST_COLUMNS_OF_AN_ENDING : MOST_COLUMNS;
  const lines: string[] = [];
  for (const word of (description ?? '').split(/\s+/).filter(Boolean)) {
    const longer = [...lines.slice(-1), word].join(' ');
    if (lines.length > 0 && longer.length <= columns) lines.splice(-1, 1, longer);
    else lines.push(word);
  }
  return lines;
}
