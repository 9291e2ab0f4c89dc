import type { ElkExtendedEdge, ElkNode, LayoutOptions } from 'elkjs/lib/elk-api.js';
import { headOf, labelOf, type Size } from './measure.ts';
import type { Arrow, Box, Sketch } from './sketch.ts';

export interface Point {
  readonly x: number;
  readonly y: number;
}
export interface Area extends Point, Size {}

/** A sketch in which everything has its place, in pixels from the upper left corner. */
export interface Layout extends Size {
  readonly boxes: readonly PlacedBox[];
  readonly arrows: readonly PlacedArrow[];
}

export interface PlacedBox extends Area {
  readonly box: Box;
  /** Where its own text goes: all of it, or a part that its parts leave free. */
  readonly head: Area;
}

export interface PlacedArrow {
  readonly arrow: Arrow;
  readonly points: readonly Point[];
  /** Where its lines of text go. Null where it has none. */
  readonly label: Area | null;
}

const options: LayoutOptions = {
  'elk.algorithm': 'layered',
  'elk.direction': 'DOWN',
  'elk.hierarchyHandling': 'INCLUDE_CHILDREN',
  'elk.edgeRouting': 'ORTHOGONAL',
  'elk.randomSeed': '1',
  'elk.padding': '[top=8,left=8,bottom=8,right=8]',
  'elk.spacing.nodeNode': '24',
  'elk.spacing.edgeNode': '14',
  'elk.spacing.edgeEdge': '12',
  'elk.spacing.edgeLabel': '5',
  'elk.spacing.labelLabel': '8',
  'elk.layered.spacing.nodeNodeBetweenLayers': '28',
  'elk.layered.spacing.edgeNodeBetweenLayers': '14',
  'elk.layered.spacing.edgeEdgeBetweenLayers': '12',
  'elk.layered.considerModelOrder.strategy': 'NODES_AND_EDGES',
  'elk.layered.cycleBreaking.strategy': 'MODEL_ORDER',
  'elk.layered.nodePlacement.strategy': 'NETWORK_SIMPLEX',
};

/** Gives every box and arrow of a sketch its place. The same sketch gives the same numbers. */
export async function layOut({ boxes, arrows }: Sketch): Promise<Layout> {
  // A megabyte and a half: only who draws loads it.
  const { default: elk } = await import('elkjs/lib/elk.bundled.js');
  const graph: ElkNode = { id: 'root', layoutOptions: options, children: boxes.map(nodeOf), edges: arrows.map(edgeOf) };
  const placed = await new elk.default().layout(graph);
  const all = placesIn(placed, { x: 0, y: 0 });
  const areas = new Map(all.map(({ node, at }) => [node.id, at]));
  const edges = new Map(all.flatMap(({ node }) => node.edges ?? []).map((edge) => [edge.id, edge]));
  const lines = arrows.flatMap((arrow) => {
    const edge = edges.get(arrow.id);
    return edge ? [placedArrow(arrow, edge, areas)] : [];
  });
  return {
    width: Math.ceil(placed.width ?? 0),
    height: Math.ceil(placed.height ?? 0),
    boxes: boxes.flatMap(withParts).flatMap((box) => {
      const at = areas.get(box.id);
      return at ? [{ box, ...at, head: headIn(at, headOf(box), lines) }] : [];
    }),
    arrows: lines,
  };
}

/** The place for a box's own text: as far left as no arrow into its parts runs through it. */
function headIn(box: Area, size: Size, arrows: readonly PlacedArrow[]): Area {
  const band = { ...box, height: size.height };
  const taken = arrows
    .flatMap(({ points }) => points.slice(1).flatMap((to, index) => within(band, points[index] ?? to, to)))
    .toSorted((a, b) => a.from - b.from);
  const starts = [box.x, ...taken.map(({ to }) => to)].toSorted((a, b) => a - b);
  const fits = (x: number): boolean =>
    x + size.width <= box.x + box.width && taken.every(({ from, to }) => to <= x || from >= x + size.width);
  return { x: starts.find(fits) ?? box.x, y: box.y, ...size };
}

/** Where a line runs through an area, from left to right. */
function within(area: Area, a: Point, b: Point): { from: number; to: number }[] {
  const [left, right] = [Math.min(a.x, b.x), Math.max(a.x, b.x)];
  const isOutside =
    right <= area.x || left >= area.x + area.width || Math.max(a.y, b.y) <= area.y || Math.min(a.y, b.y) >= area.y + area.height;
  return isOutside ? [] : [{ from: left, to: right }];
}

function nodeOf(box: Box): ElkNode {
  const head = headOf(box);
  if (box.parts.length === 0) return { id: box.id, ...head, layoutOptions: layerOf(box) };
  return {
    id: box.id,
    children: box.parts.map(nodeOf),
    layoutOptions: {
      'elk.padding': `[top=${head.height + 8},left=14,bottom=14,right=14]`,
      'elk.nodeSize.constraints': 'MINIMUM_SIZE',
      'elk.nodeSize.minimum': `(${head.width},${head.height})`,
    },
  };
}

function layerOf({ kind, path }: Box): LayoutOptions {
  return kind === 'final' && !path.includes('.') ? { 'elk.layered.layering.layerConstraint': 'LAST' } : {};
}

function edgeOf({ id, from, to, lines }: Arrow): ElkExtendedEdge {
  const label = lines.length === 0 ? [] : [{ id: `${id} label`, text: id, ...labelOf(lines), layoutOptions: { 'elk.edgeLabels.inline': 'true' } }];
  return { id, sources: [from], targets: [to], labels: label };
}

interface Placed {
  readonly node: ElkNode;
  readonly at: Area;
}

function placesIn(node: ElkNode, origin: Point): Placed[] {
  const at = areaOf(node, origin);
  return [{ node, at }, ...(node.children ?? []).flatMap((child) => placesIn(child, at))];
}

/** What an edge says of itself is measured from the box that holds it. */
function placedArrow(arrow: Arrow, edge: ElkExtendedEdge, areas: ReadonlyMap<string, Area>): PlacedArrow {
  const origin = areas.get(edge.container ?? 'root') ?? { x: 0, y: 0 };
  const points = (edge.sections ?? []).flatMap(({ startPoint, bendPoints, endPoint }) => [startPoint, ...(bendPoints ?? []), endPoint]);
  const [label] = edge.labels ?? [];
  return {
    arrow,
    points: points.map(({ x, y }) => ({ x: rounded(origin.x + x), y: rounded(origin.y + y) })),
    label: label ? areaOf(label, origin) : null,
  };
}

const withParts = (box: Box): Box[] => [box, ...box.parts.flatMap(withParts)];

const areaOf = ({ x = 0, y = 0, width = 0, height = 0 }: Partial<Area>, origin: Point): Area => ({
  x: rounded(origin.x + x),
  y: rounded(origin.y + y),
  width: rounded(width),
  height: rounded(height),
});

const rounded = (pixels: number): number => Math.round(pixels * 10) / 10;
