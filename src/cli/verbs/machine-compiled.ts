import type { CatalogueEntry } from '../../../machines/index.ts';
import { compiledPartsOf, type CompiledParts } from '../../kernel/compiled/parts.ts';
import { findMachine } from '../args/find-machine.ts';
import { asJson } from '../pages/as-json.ts';
import { usage } from '../pages/complaint.ts';
import { columns } from '../pages/table.ts';
import type { Session } from '../session.ts';
import type { MachineFlags } from './machine.ts';

/** Whether steps are compiled: places, or the part that leaves a machine to XState. Without a name, of all machines. */
export async function machineCompiled(
  session: Session,
  asked: string | undefined,
  flags: MachineFlags,
): Promise<number> {
  assertAlone(flags);
  const { out } = session.streams;
  const name = asked && (await session.loopName(asked));
  const known = await session.knownLoops();
  const isJson = flags.json ?? flags.format === 'json';
  if (name === undefined) {
    const all = known.map((entry) => ({ entry, parts: compiledPartsOf(entry.machine) }));
    if (isJson) out.line(asJson(all.map(asValue), 2));
    else for (const line of columns(all.map((one) => [one.entry.id, summaryOf(one)]))) out.line(line);
    return 0;
  }
  const entry = findMachine(name, known);
  const told = { entry, parts: compiledPartsOf(entry.machine) };
  for (const line of isJson ? [asJson(asValue(told), 2)] : linesOf(told)) out.line(line);
  return 0;
}

interface Told {
  readonly entry: CatalogueEntry;
  readonly parts: CompiledParts;
}

/** It is about a machine, and draws nothing. */
function assertAlone({ format, depth, detail, run, last, at }: MachineFlags): void {
  const isOther = Object.entries({ depth, detail, run, last, at }).find(([, value]) => value !== undefined);
  if (isOther) throw usage(`--${isOther[0]}`, 'a chart to go with it', '--compiled', ['machine', '--help']);
  if (format !== undefined && format !== 'json')
    throw usage('--format', 'json, or nothing, to go with --compiled', `'${format}'`);
}

const asValue = ({ entry, parts }: Told) => ({ machine: entry.id, ...parts });

const summaryOf = ({ parts }: Told): string =>
  parts.isCompiled
    ? `compiled: ${parts.places.length} places, ${parts.effects.length} effects`
    : `left to XState: ${parts.because}`;

function linesOf(told: Told): string[] {
  const { entry, parts } = told;
  const summary = `${entry.id} is ${summaryOf(told)}`;
  if (!parts.isCompiled) return [summary];
  const rows = parts.places.map(({ place, events, effects }) => [
    `  ${place}`,
    `${events.length} events`,
    effects.join(', '),
  ]);
  return [summary, ...columns(rows)];
}
