import type { CatalogueEntry } from '../../machines/index.ts';
import { chartOf } from './chart.ts';
import { layOut } from './drawing/layout.ts';
import { paint } from './drawing/paint.ts';
import { type DrawingOptions, sketch } from './drawing/sketch.ts';

export type { DrawingOptions } from './drawing/sketch.ts';

type Machine = CatalogueEntry['machine'];

/**
 * A machine drawn as SVG, for light pages and dark ones: every state, and every transition as an arrow, or as a line of
 * the state in which it stays. The same machine gives the same text, byte for byte.
 *
 * States are found by `data-state` (a path), transitions by `data-transition` (an id); what reads alike shares a line.
 *
 * @example
 * const overview = await svg(turn, { depth: 1, detail: 'arrows' });
 */
export async function svg(machine: Machine, options: DrawingOptions = {}): Promise<string> {
  const chart = chartOf(machine);
  return paint(await layOut(sketch(chart, options)), chart.id, chart.states[0]?.description ?? null);
}
