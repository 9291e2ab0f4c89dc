import type { ElkExtendedEdge, ElkNode, LayoutOptions } from 'elkjs/lib/elk-api.js';
import type { Arrow } from './draw-arrows.ts';
import { type Area, areaOf, type Point, rounded, type Size, spansIn, type Way, headOf, sizeOf } from './geometry.ts';
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

/** How often boxes are made wider in which no place was left for their own text. */
const MOST_TRIES = 4;

/** Gives every box and arrow of a sketch its place. The same sketch gives the same numbers. */
export async function layOut(drawn: Sketch, widths: Widths = new Map(), tries = MOST_TRIES): Promise<Layout> {
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
    return layOut(drawn, new Map([...widths, ...wider]), tries - 1);
  }
  const { width = 0, height = 0 } = page;
  return {
    width: Math.ceil(width),
    height: Math.ceil(height),
    boxes: boxes.map(({ box, area, head }) => ({ box, area, head: head ?? area })),
    arrows,
  };
}

/** How wide a box must be at least, by its id. */
type Widths = ReadonlyMap<string, number>;

async function pageOf({ boxes, arrows }: Sketch, widths: Widths): Promise<ElkNode> {
  // A megabyte and a half: only who draws loads it.
  const { default: elk } = await import('elkjs/lib/elk.bundled.js');
  const children = boxes.map((box) => nodeOf(box, widths));
  return new elk.default().layout({ id: 'page', layoutOptions: options, children, edges: arrows.map(edgeOf) });
}

const nowhere: Area = { x: 0, y: 0, width: 0, height: 0 };

function nodeOf(box: Box, widths: Widths): ElkNode {
  const head = headOf(box);
  if (box.parts.length === 0) return { id: box.id, ...head, layoutOptions: layerOf(box) };
  return {
    id: box.id,
    children: box.parts.map((part) => nodeOf(part, widths)),
    layoutOptions: {
      'elk.padding': `[top=${head.height + 8},left=14,bottom=14,right=14]`,
      'elk.nodeSize.constraints': 'MINIMUM_SIZE',
      // Of a box with parts, the layout that runs downwards takes the height first.
      'elk.nodeSize.minimum': `(${head.height},${widths.get(box.id) ?? head.width})`,
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

/** The place for a box's own text: as far left as no arrow into its parts runs through it. Null where there is none. */
function headIn(area: Area, size: Size, arrows: readonly PlacedArrow[]): Area | null {
  const crossings = arrows.flatMap(({ way }) => spansIn({ ...area, height: size.height }, way));
  const starts = [area.x, ...crossings.map(({ right }) => right)].toSorted((a, b) => a - b);
  const fits = (x: number): boolean =>
    x + size.width <= area.x + area.width && crossings.every(({ left, right }) => right <= x || left >= x + size.width);
  const x = starts.find(fits);
  return x === undefined ? null : { x, y: area.y, ...size };
}
