import type { ElkExtendedEdge, ElkNode, LayoutOptions } from 'elkjs/lib/elk-api.js';
import type { Arrow } from './arrows.ts';
import { type Area, areaOf, type Point, rounded, type Size, spansIn, type Way } from './geometry.ts';
import { headOf, sizeOf } from './measure.ts';
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
  const graph: ElkNode = { id: 'page', layoutOptions: options, children: boxes.map(nodeOf), edges: arrows.map(edgeOf) };
  const page = await new elk.default().layout(graph);
  const nodes = placesIn(page, { x: 0, y: 0 });
  const areas = new Map(nodes.map(({ node, area }) => [node.id, area]));
  const edges = new Map((page.edges ?? []).map((edge) => [edge.id, edge]));
  const placed = arrows.map((arrow) => placedArrow(arrow, edges.get(arrow.id), areas));
  return {
    width: Math.ceil(page.width ?? 0),
    height: Math.ceil(page.height ?? 0),
    boxes: boxesIn(boxes).map((box) => {
      const area = areas.get(box.id) ?? nowhere;
      return { box, area, head: headIn(area, headOf(box), placed) };
    }),
    arrows: placed,
  };
}

const nowhere: Area = { x: 0, y: 0, width: 0, height: 0 };

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

/** Endings stand side by side, below everything else. */
const layerOf = ({ kind, path }: Box): LayoutOptions =>
  kind === 'final' && !path.includes('.') ? { 'elk.layered.layering.layerConstraint': 'LAST' } : {};

function edgeOf({ id, from, to, lines }: Arrow): ElkExtendedEdge {
  const label = { id: `${id} label`, text: id, ...sizeOf(lines), layoutOptions: { 'elk.edgeLabels.inline': 'true' } };
  return { id, sources: [from], targets: [to], labels: lines.length === 0 ? [] : [label] };
}

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

/** The place for a box's own text: as far left as no arrow into its parts runs through it. */
function headIn(area: Area, size: Size, arrows: readonly PlacedArrow[]): Area {
  const crossings = arrows.flatMap(({ way }) => spansIn({ ...area, height: size.height }, way));
  const starts = [area.x, ...crossings.map(({ right }) => right)].toSorted((a, b) => a - b);
  const fits = (x: number): boolean =>
    x + size.width <= area.x + area.width && crossings.every(({ left, right }) => right <= x || left >= x + size.width);
  return { x: starts.find(fits) ?? area.x, y: area.y, ...size };
}
