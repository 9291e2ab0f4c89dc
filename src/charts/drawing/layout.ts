import type { ElkExtendedEdge, ElkNode } from 'elkjs/lib/elk-api.js';
import type { Arrow } from './draw-arrows.ts';
import { pageOf, type Widths } from './elk-page.ts';
import { type Area, areaOf, headOf, type Point, rounded, type Size, spansIn } from './geometry.ts';
import { keptLayout, type Layout, type PlacedArrow } from './layout-table.ts';
import { boxesIn, type Sketch } from './sketch.ts';

/**
 * Gives every box and arrow of a sketch its place. The same sketch gives the same numbers: those of machines that ship
 * are kept, others need the package elkjs. Throws an `EnvironmentError` where it is not installed.
 */
export async function layOut(drawn: Sketch): Promise<Layout> {
  return (await keptLayout(drawn)) ?? (await computeLayout(drawn));
}

/** How often boxes are made wider in which no place was left for their own text. */
const MOST_TRIES = 4;

/** Computes a layout, also one that is kept. */
export async function computeLayout(drawn: Sketch, widths: Widths = new Map(), tries = MOST_TRIES): Promise<Layout> {
  const page = await pageOf(drawn, widths);
  const nodes = placesIn(page, { x: 0, y: 0 });
  const areas = new Map(nodes.map(({ node, area }) => [node.id, area]));
  const edges = new Map((page.edges ?? []).map((edge) => [edge.id, edge]));
  const arrows = drawn.arrows.map((arrow) => placedArrow(arrow, edges.get(arrow.id), areas));
  const boxes = boxesIn(drawn.boxes).map((box) => {
    const area = areas.get(box.id) ?? nowhere;
    return { box, area, head: box.parts.length === 0 ? area : headIn(area, headOf(box), arrows) };
  });
  const tight = boxes.filter(({ head }) => head === null);
  if (tight.length > 0 && tries > 1) {
    const wider = tight.map(({ box, area }) => [box.id, area.width + headOf(box).width] as const);
    return computeLayout(drawn, new Map([...widths, ...wider]), tries - 1);
  }
  const { width = 0, height = 0 } = page;
  return {
    width: Math.ceil(width),
    height: Math.ceil(height),
    boxes: boxes.map(({ box, area, head }) => ({ box, area, head: head ?? area })),
    arrows,
  };
}

const nowhere: Area = { x: 0, y: 0, width: 0, height: 0 };

/** Everything is measured from the box that holds it. */
function placesIn(node: ElkNode, origin: Point): { readonly node: ElkNode; readonly area: Area }[] {
  const area = areaOf(node, origin);
  return [{ node, area }, ...(node.children ?? []).flatMap((child) => placesIn(child, area))];
}

function placedArrow(arrow: Arrow, edge: ElkExtendedEdge | undefined, areas: ReadonlyMap<string, Area>): PlacedArrow {
  const origin = areas.get(edge?.container ?? 'page') ?? nowhere;
  const [section] = edge?.sections ?? [];
  const points = section ? [section.startPoint, ...(section.bendPoints ?? []), section.endPoint] : [];
  const [label] = edge?.labels ?? [];
  return {
    arrow,
    way: points.map(({ x, y }) => ({ x: rounded(origin.x + x), y: rounded(origin.y + y) })),
    label: label ? areaOf(label, origin) : null,
  };
}

/** The place for a box's own text: as far left as no arrow into its parts runs through it. Null where there is none. */
function headIn(area: Area, size: Size, arrows: readonly PlacedArrow[]): Area | null {
  const crossings = arrows.flatMap(({ way }) => spansIn({ ...area, height: size.height }, way));
  const starts = [area.x, ...crossings.map(({ right }) => right)].toSorted((a, b) => a - b);
  const fits = (x: number): boolean =>
    x + size.width <= area.x + area.width && crossings.every(({ left, right }) => right <= x || left >= x + size.width);
  const x = starts.find(fits);
  return x === undefined ? null : { x, y: area.y, ...size };
}
