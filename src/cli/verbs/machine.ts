import type { CatalogueEntry } from '../../../machines/index.ts';
import { chartOf } from '../../charts/chart.ts';
import type { ChartMarks } from '../../charts/overlay.ts';
import { mermaid } from '../../charts/mermaid.ts';
import { stately } from '../../charts/stately.ts';
import type { DrawingOptions } from '../../charts/svg.ts';
import { readTrace } from '../../projections/read-trace.ts';
import { asJson } from '../pages/as-json.ts';
import { usage } from '../pages/complaint.ts';
import { findMachine, meansRun } from '../args/find-machine.ts';
import { findRun } from '../args/find-run.ts';
import { refusal } from '../pages/refusal-text.ts';
import type { Session } from '../session.ts';
import { columns } from '../pages/table.ts';
import { wholeNumber } from '../args/whole-number.ts';

const FORMATS = ['json', 'mermaid', 'svg', 'stately'] as const;
type Format = (typeof FORMATS)[number];
const DETAILS = ['arrows', 'events', 'actions'] as const;

export interface MachineFlags {
  readonly format?: string;
  readonly json?: boolean;
  readonly depth?: string;
  readonly detail?: string;
  readonly run?: string;
  readonly last?: boolean;
  readonly at?: string;
}

/** A chart to show, with the path of a run. */
interface Shown {
  readonly entry: CatalogueEntry;
  readonly footprints: { readonly run: string; readonly at: number; readonly marks: Required<ChartMarks> } | null;
}

/**
 * Draws the chart of a machine, or of the machine that folds a run with the run's path; without either, lists the
 * machines.
 */
export async function machine(session: Session, asked: string | undefined, flags: MachineFlags): Promise<number> {
  const { out } = session.streams;
  const name = asked && (await session.loopName(asked));
  const known = await session.knownLoops();
  if (name === undefined && flags.run === undefined && !flags.last) {
    for (const line of listing(known, flags)) out.line(line);
    return 0;
  }
  const format = formatOf(flags);
  const depth = flags.depth === undefined ? undefined : wholeNumber('--depth', flags.depth);
  const detail = detailOf(flags);
  const isOfRun = meansRun(name, flags);
  assertFit({ format, isOfRun }, flags);
  const shown =
    name === undefined ? await walkedBy(session, flags) : { entry: findMachine(name, known), footprints: null };
  out.line(
    await drawn(shown, format, {
      ...(depth === undefined ? {} : { depth }),
      ...(detail === undefined ? {} : { detail }),
    }),
  );
  return 0;
}

/** Every machine that can fold a run. */
function listing(known: readonly CatalogueEntry[], flags: MachineFlags): string[] {
  const alone = (['at', 'depth', 'detail', 'format'] as const).find(
    (flag) => flags[flag] !== undefined && flags[flag] !== 'json',
  );
  if (alone !== undefined) throw usage('NAME', `a machine, or a run, to go with --${alone}`, 'nothing', ['machine']);
  const machines = known.map((entry) => {
    const { states, transitions } = chartOf(entry.machine);
    return {
      id: entry.id,
      states: states.length - 1,
      transitions: transitions.length,
      description: states[0]?.description ?? '',
    };
  });
  if (flags.json || flags.format === 'json') return [asJson(machines, 2)];
  return columns(
    machines.map(({ id, states, transitions, description }) => [
      id,
      `${states} states`,
      `${transitions} transitions`,
      description,
    ]),
  );
}

/** Mermaid by default: of the four it alone is readable as text on a terminal and on a page. */
function formatOf({ format, json = false }: MachineFlags): Format {
  const known = FORMATS.find((one) => one === (format ?? (json ? 'json' : 'mermaid')));
  if (known === undefined)
    throw usage('--format', `one of ${FORMATS.join(', ')}`, `'${format}'`, ['machine', '--help']);
  if (json && known !== 'json') throw usage('--format', 'either --format or --json', `'${format}' and --json`);
  return known;
}

function detailOf({ detail }: MachineFlags): DrawingOptions['detail'] {
  const known = DETAILS.find((one) => one === detail);
  if (detail !== known) throw usage('--detail', `one of ${DETAILS.join(', ')}`, `'${detail}'`, ['machine', '--help']);
  return known;
}

function assertFit(
  { format, isOfRun }: { readonly format: Format; readonly isOfRun: boolean },
  { depth, detail }: MachineFlags,
): void {
  if (isOfRun && format === 'stately') {
    throw usage('--format', 'json, mermaid or svg: source text has no place for what a run has done', "'stately'", [
      'machine',
    ]);
  }
  if (depth !== undefined && (format === 'json' || format === 'stately')) {
    throw usage('--depth', 'mermaid or svg to go with it: only drawings have a depth', `'${depth}'`);
  }
  if (detail !== undefined && format !== 'svg') throw usage('--detail', '--format svg to go with it', `'${detail}'`);
}

async function walkedBy(session: Session, { run: meant, last = false, at }: MachineFlags): Promise<Shown> {
  const version = at === undefined ? undefined : wholeNumber('--at', at);
  const reference = { run: meant, last };
  const { log, definitions } = await session.reading({ runs: [reference], otherwise: 'refuse' });
  const { run } = await findRun(log, reference);
  const read = await readTrace(log, run, version, definitions);
  await log.close();
  if (read.kind === 'no_such_version') throw usage('--at', `a version from 1 to ${read.head}`, `${at}`);
  if (read.kind !== 'found') throw refusal(read, run);
  const { state, marks } = read.footprints;
  return { entry: state.entry, footprints: { run, at: state.version, marks } };
}

async function drawn({ entry: { machine }, footprints }: Shown, format: Format, how: DrawingOptions): Promise<string> {
  const options = { ...how, ...(footprints ? { marks: footprints.marks } : {}) };
  switch (format) {
    case 'json':
      return asJson(
        {
          ...chartOf(machine),
          ...(footprints ? { run: footprints.run, at: footprints.at, marks: footprints.marks } : {}),
        },
        2,
      );
    case 'mermaid':
      return [...titleOf(footprints), mermaid(machine, options)].join('\n');
    case 'svg':
      return (await (await import('../../charts/svg.ts')).svg(machine, options)).trimEnd();
    case 'stately':
      return stately(machine);
  }
}

const titleOf = (footprints: Shown['footprints']): string[] =>
  footprints ? ['---', `title: run ${footprints.run} at version ${footprints.at}`, '---'] : [];
