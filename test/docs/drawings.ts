import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { iteration } from '../../machines/iteration.machine.ts';
import { contest } from '../../machines/contest.machine.ts';
import { improvement } from '../../machines/improvement.machine.ts';
import { ralph } from '../../machines/ralph.machine.ts';
import { turn } from '../../machines/turn.machine.ts';
import { type DrawingOptions, svg } from '../../src/charts/svg.ts';
import { readTrace } from '../../src/projections/read-trace.ts';
import { measuredPage } from '../bench/measured.ts';
import { measurements } from '../bench/step-history.ts';
import { logOf, readHistory } from '../histories/history.ts';
import { root } from '../repository/tool.ts';
import { recordedDemo } from './demo-recording.ts';
import { performancePictures } from './plots/pictures.ts';
import { layoutsFile } from './layouts-file.ts';
import { statelyFile } from './stately-file.ts';
import { terminalSvg } from './terminal-svg.ts';

type Machine = typeof turn | typeof iteration | typeof ralph | typeof improvement | typeof contest;

const OVERVIEW: DrawingOptions = { depth: 1, detail: 'arrows' };
/** A loop of three attempts, while the third is being checked. */
const CHECKING = { file: 'test/histories/iteration-success.jsonl', version: 14 } as const;

export const LAYOUTS = 'src/charts/drawing/layouts.json';

/** Whole files that are made from others: charts as `loopfold machine NAME --format svg` prints them, the demo. */
export const drawings: ReadonlyMap<string, () => Promise<string>> = new Map([
  // First: the drawings take their places from it.
  [LAYOUTS, layoutsFile] as const,
  ...Object.entries({ turn, iteration, ralph, improvement, contest }).flatMap(([name, machine]) => [
    [`docs/charts/${name}.svg`, () => printed(machine)] as const,
    [`docs/charts/${name}-overview.svg`, () => printed(machine, OVERVIEW)] as const,
  ]),
  ['docs/charts/run.svg', runUnderWay],
  ...Object.entries(performancePictures(measuredPage(), measurements())).map(
    ([file, drawn]) => [file, async () => drawn] as const,
  ),
  ['machines/statelyai.json', statelyFile],
  ['docs/demo.svg', async () => terminalSvg('npm start', recordedDemo())],
]);

const printed = async (machine: Machine, options?: DrawingOptions): Promise<string> =>
  `${(await svg(machine, options)).trimEnd()}\n`;

async function runUnderWay(): Promise<string> {
  const history = readHistory(pathToFileURL(join(root, CHECKING.file)));
  const run = history.runs.find(({ parentEffect }) => parentEffect === null)?.run ?? '';
  const read = await readTrace(await logOf(history), run, CHECKING.version);
  if (read.kind !== 'found') throw new Error(`${CHECKING.file} at version ${CHECKING.version}: ${read.kind}`);
  return printed(iteration, { ...OVERVIEW, marks: read.footprints.marks });
}
