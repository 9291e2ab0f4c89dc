import { catalogue } from '../../machines/index.ts';
import { chartOf } from '../../src/charts/chart.ts';
import { layoutKey, numbersOf } from '../../src/charts/drawing/layout-table.ts';
import { computeLayout } from '../../src/charts/drawing/layout.ts';
import { type DrawingOptions, sketch, type Sketch } from '../../src/charts/drawing/sketch.ts';

/** Every level of every machine that ships: what is deeper is drawn alike. */
const DEPTHS = [1, 2, 3, 4];
const DETAILS = ['arrows', 'events', 'actions'] as const;
/** With what a run has done, and without: how much it was does not change a layout. */
const MARKS: readonly DrawingOptions[] = [{}, { marks: { active: [], visits: {}, taken: {} } }];

/** Every way in which a machine that ships can be drawn, by the name of its layout. */
export function shippedSketches(): ReadonlyMap<string, Sketch> {
  const drawn = catalogue.flatMap(({ machine }) =>
    DEPTHS.flatMap((depth) =>
      DETAILS.flatMap((detail) => MARKS.map((marks) => sketch(chartOf(machine), { depth, detail, ...marks }))),
    ),
  );
  return new Map(drawn.map((one) => [layoutKey(one), one]));
}

/** The text of `src/charts/drawing/layouts.json`: a line for each layout, in the order of their names. */
export async function layoutsFile(): Promise<string> {
  const lines: string[] = [];
  for (const [key, drawn] of [...shippedSketches()].toSorted(([one], [other]) => (one < other ? -1 : 1)))
    lines.push(`  "${key}": "${numbersOf(await computeLayout(drawn))}"`);
  return `{\n${lines.join(',\n')}\n}\n`;
}
