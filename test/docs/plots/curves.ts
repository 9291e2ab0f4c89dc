import { element } from '../../../src/charts/drawing/looks.ts';
import { type Scale, written } from './scale.ts';
import { fill, type Ink, label, path, type Sheet, stroke } from './sheet.ts';

export interface Point {
  readonly x: number;
  readonly y: number;
  readonly low?: number;
  readonly high?: number;
}

/** Points that belong together, joined by a line, with the band of their intervals. */
export interface Curve {
  readonly name: string;
  readonly ink: Ink;
  readonly points: readonly Point[];
  /** A line without its points. */
  readonly isBare?: boolean;
  /** Points alone, with the name beside each: it is something of its own. */
  readonly isScattered?: boolean;
}

export interface Axes {
  readonly x: {
    readonly name: string;
    readonly scale: (range: readonly [number, number]) => Scale;
    readonly labels?: readonly string[];
  };
  readonly y: { readonly name: string; readonly scale: (range: readonly [number, number]) => Scale };
  /** A value of y that is wanted, and how it is called. */
  readonly wanted?: { readonly value: number; readonly name: string; readonly isLeft?: boolean };
}

const [WIDTH_PX, HEIGHT_PX] = [760, 320];
const [LEFT_PX, TOP_PX, AXIS_PX] = [56, 44, 50];

/** Curves over two axes. The names of the curves stand above, each with its colour. */
export function curves(some: readonly Curve[], { x, y, wanted }: Axes): Pick<Sheet, 'width' | 'height' | 'drawn'> {
  const bottom = TOP_PX + HEIGHT_PX;
  const across = x.scale([LEFT_PX, WIDTH_PX - 12]);
  const up = y.scale([bottom, TOP_PX]);
  const drawn = [
    ...up.ticks.flatMap((tick) => [
      path(`M${LEFT_PX} ${up.at(tick)}H${WIDTH_PX}`, stroke('grid')),
      label(written(tick), LEFT_PX - 8, up.at(tick) + 4.5, { 'text-anchor': 'end', ...fill('muted') }),
    ]),
    ...across.ticks.map((tick, index) =>
      label(x.labels?.[index] ?? written(tick), across.at(tick), bottom + 20, {
        'text-anchor': 'middle',
        ...fill('muted'),
      }),
    ),
    label(x.name, (LEFT_PX + WIDTH_PX) / 2, bottom + 42, { 'text-anchor': 'middle', ...fill('muted') }),
    label(y.name, 0, TOP_PX - 14, fill('muted')),
    ...(wanted
      ? [
          path(`M${LEFT_PX} ${up.at(wanted.value)}H${WIDTH_PX}`, { ...stroke('text', 1.3), 'stroke-dasharray': '6 4' }),
          wanted.isLeft
            ? label(wanted.name, LEFT_PX + 6, up.at(wanted.value) - 6)
            : label(wanted.name, WIDTH_PX, up.at(wanted.value) - 6, { 'text-anchor': 'end' }),
        ]
      : []),
    ...some.flatMap((curve) => drawnCurve(curve, across.at, up.at)),
    ...legend(some.filter(({ isScattered }) => !isScattered)),
  ];
  return { width: WIDTH_PX, height: bottom + AXIS_PX, drawn };
}

function drawnCurve({ name, ink, points, isBare, isScattered }: Curve, across: Scale['at'], up: Scale['at']): string[] {
  const place = (px: number, py: number) => `${px.toFixed(1)} ${py.toFixed(1)}`;
  const along = (pick: (point: Point) => number, list = points) =>
    list.map((point) => place(across(point.x), up(pick(point)))).join('L');
  const band = points.every(({ low, high }) => low !== undefined && high !== undefined);
  return [
    ...(band && !isScattered
      ? [
          path(`M${along(({ y, high = y }) => high)}L${along(({ y, low = y }) => low, points.toReversed())}Z`, {
            ...fill(ink),
            'fill-opacity': 0.18,
          }),
        ]
      : []),
    ...(isScattered ? [] : [path(`M${along(({ y }) => y)}`, stroke(ink, 2))]),
    ...(isBare ? [] : points).flatMap(({ x, y, low, high }) => [
      ...(isScattered && low !== undefined && high !== undefined
        ? [path(`M${place(across(x), up(low))}V${up(high).toFixed(1)}`, stroke(ink, 1.5))]
        : []),
      element('circle', { cx: across(x), cy: up(y), r: isScattered ? 5 : 3, ...fill(ink) }),
      ...(isScattered ? [label(name, across(x) + 10, up(y) - 8)] : []),
    ]),
  ];
}

function legend(some: readonly Curve[]): string[] {
  let x = LEFT_PX;
  return some.flatMap(({ name, ink }) => {
    const at = x;
    x += 26 + name.length * 7.2 + 20;
    return [element('rect', { x: at, y: 0, width: 18, height: 10, rx: 2, ...fill(ink) }), label(name, at + 25, 10)];
  });
}
