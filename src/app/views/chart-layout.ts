import { z } from 'zod';
import type { CatalogueEntry } from '../../../machines/index.ts';
import { chartOf } from '../../charts/chart.ts';
import { layOut } from '../../charts/drawing/layout.ts';
import { cut, descriptionOf, wordsOf } from '../../charts/drawing/geometry.ts';
import { line, tip } from '../../charts/drawing/looks.ts';
import { sketch } from '../../charts/drawing/sketch.ts';

const place = z.object({ x: z.number(), y: z.number() });
const size = { width: z.number(), height: z.number() };

/** A chart with a place for everything on it, in pixels: drawn by a page, which lights the states of a run. */
export const ChartLayout = z.object({
  machine: z.string(),
  description: z.string(),
  ...size,
  boxes: z.array(
    z.object({
      ...place.shape,
      ...size,
      path: z.string(),
      title: z.string(),
      kind: z.enum(['state', 'final', 'start', 'anywhere']),
      /** It has states in it. */
      whole: z.boolean(),
      description: z.string(),
      /** Where its title goes, and what stands below it. */
      head: place,
      lines: z.array(z.string()),
    }),
  ),
  arrows: z.array(
    z.object({
      /** As the `d` of a path. */
      line: z.string(),
      tip: z.string(),
      /** Taken as soon as its guard holds. */
      always: z.boolean(),
      label: z.array(z.string()),
      /** The middle of the first line of the label. Null: it has none. */
      at: place.nullable(),
    }),
  ),
});
export type ChartLayout = z.infer<typeof ChartLayout>;

type Machine = CatalogueEntry['machine'];

/** What was laid out before, by the depth: a machine does not change, and to lay one out takes a second. */
const known = new WeakMap<Machine, Map<number | undefined, Promise<ChartLayout>>>();

/** Lays a machine out. `depth`: how many levels of states. */
export function chartLayout(entry: Pick<CatalogueEntry, 'id' | 'machine'>, depth?: number): Promise<ChartLayout> {
  const layouts = known.get(entry.machine) ?? new Map<number | undefined, Promise<ChartLayout>>();
  known.set(entry.machine, layouts);
  const layout = layouts.get(depth) ?? laidOut(entry, depth);
  layouts.set(depth, layout);
  return layout;
}

async function laidOut(entry: Pick<CatalogueEntry, 'id' | 'machine'>, depth?: number): Promise<ChartLayout> {
  const chart = chartOf(entry.machine);
  const drawn = sketch(chart, { detail: 'arrows', ...(depth === undefined ? {} : { depth }) });
  const { width, height, boxes, arrows } = await layOut(drawn);
  return {
    machine: entry.id,
    description: chart.states[0]?.description ?? '',
    width,
    height,
    boxes: boxes.map(({ box, area, head }) => ({
      ...area,
      path: box.path,
      title: box.title,
      kind: box.kind,
      whole: box.parts.length > 0,
      description: box.description ?? '',
      head: { x: head.x, y: head.y },
      lines: [...descriptionOf(box), ...box.lines.map(wordsOf)],
    })),
    arrows: arrows.map(({ arrow, way, label }) => ({
      // Its label stands in the gap.
      line: (label ? cut(way, label) : [way]).map(line).join(''),
      tip: tip(way),
      always: arrow.kind === 'always',
      label: arrow.lines.map(wordsOf),
      at: label && { x: label.x + label.width / 2, y: label.y },
    })),
  };
}
