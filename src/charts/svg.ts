import type { CatalogueEntry } from '../../machines/index.ts';
import { chartOf } from './chart.ts';
import { layOut } from './layout.ts';
import { paint } from './paint.ts';
import { type DrawingOptions, sketch } from './sketch.ts';

export type { DrawingOptions } from './sketch.ts';

type Machine = CatalogueEntry['machine'];

/** A machine drawn as SVG. */
export async function svg(machine: Machine, options: DrawingOptions = {}): Promise<string> {
  const chart = chartOf(machine);
  return paint(await layOut(sketch(chart, options)), chart.id, chart.states[0]?.description ?? null);
}
