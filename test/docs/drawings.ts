import { iteration } from '../../machines/iteration.machine.ts';
import { turn } from '../../machines/turn.machine.ts';
import { type DrawingOptions, svg } from '../../src/charts/svg.ts';

const OVERVIEW: DrawingOptions = { depth: 1, detail: 'arrows' };

/** The drawings that pages show, by the file they lie in: each as `loopfold machine NAME --format svg` prints it. */
export const drawings: ReadonlyMap<string, () => Promise<string>> = new Map(
  Object.entries({ turn, iteration }).flatMap(([name, machine]) => [
    [`docs/charts/${name}.svg`, async () => `${(await svg(machine)).trimEnd()}\n`],
    [`docs/charts/${name}-overview.svg`, async () => `${(await svg(machine, OVERVIEW)).trimEnd()}\n`],
  ]),
);
