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
