import type { ElkExtendedEdge, ElkNode, LayoutOptions } from 'elkjs/lib/elk-api.js';
import { EnvironmentError } from '../../actors/environment-error.ts';
import { codeOf } from '../../log/environment-fault.ts';
import type { Arrow } from './draw-arrows.ts';
import { headOf, sizeOf } from './geometry.ts';
import type { Box, Sketch } from './sketch.ts';

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

/** The width that a box must have at least, in pixels, by its id. */
export type Widths = ReadonlyMap<string, number>;

/** Asks elkjs where everything of a sketch goes. Throws an `EnvironmentError` where it is not installed. */
export async function pageOf(drawn: Sketch, widths: Widths): Promise<ElkNode> {
  const Elk = await loadElk();
  return new Elk().layout(graphOf(drawn, widths));
}

/** A megabyte and a half, which only drawings of loops that do not ship need. */
async function loadElk() {
  try {
    return (await import('elkjs/lib/elk.bundled.js')).default.default;
  } catch (error) {
    if (codeOf(error) !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new EnvironmentError(
      'no_package',
      'A chart of a loop that does not ship with loopfold is laid out by the package elkjs, which is not installed. ' +
        'Install it: npm install elkjs',
    );
  }
}

/** Everything that a layout depends on. */
export const graphOf = ({ boxes, arrows }: Sketch, widths: Widths = new Map()): ElkNode => ({
  id: 'page',
  layoutOptions: options,
  children: boxes.map((box) => nodeOf(box, widths)),
  edges: arrows.map(edgeOf),
});

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
