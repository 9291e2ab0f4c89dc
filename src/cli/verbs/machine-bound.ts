import { resolveSettings } from '../../config/resolve.ts';
import { OptionsError } from '../../hosts/local/options-error.ts';
import { amount } from '../../projections/wording.ts';
import { assertIntact } from '../../runtime/intact.ts';
import { type LoopDefinition, loopNameOf, newestOf } from '../../runtime/loop-definition.ts';
import { type Bound, boundReport, partsLeft } from '../../termination/bound.ts';
import { asJson } from '../as-json.ts';
import { usage } from '../complaint.ts';
import { findMachine, meansRun } from '../find-machine.ts';
import { findRun, shortId } from '../find-run.ts';
import { wordsOf } from '../loop-words.ts';
import { refusal } from '../refusal.ts';
import type { Session } from '../session.ts';
import { columns } from '../table.ts';
import { wholeNumber } from '../whole-number.ts';
import type { MachineFlags } from './machine.ts';

const BY_ITSELF = 'without input from outside';

/** How many events a run can come to at most: one that would be started with these options, or one from where it stands. */
export async function machineBound(session: Session, name: string | undefined, flags: MachineFlags): Promise<number> {
  const { format, json = format === 'json', depth, detail } = flags;
  if (format !== undefined && format !== 'json') throw usage('--format', 'json, or nothing, to go with --bound', `'${format}'`);
  if (depth !== undefined || detail !== undefined) throw usage(depth === undefined ? '--detail' : '--depth', 'a drawing to go with it', '--bound');
  const { value, lines } = meansRun(name, flags) ? await ofRun(session, flags) : await ofSettings(session, name);
  for (const line of json ? [asJson(value, 2)] : lines) session.streams.out.line(line);
  return 0;
}

interface Told {
  /** As JSON, where what nothing bounds is null. */
  readonly value: unknown;
  readonly lines: readonly string[];
}

/** A run that these options would start. */
async function ofSettings(session: Session, name: string | undefined): Promise<Told> {
  const { log: _log, providers: _providers, outputFormat: _format, ...options } = (await session.config()).values;
  const asked = name ?? options.loop;
  const loopName = asked && (await session.loopName(asked));
  const known = await session.knownLoops();
  const loop = loopName === undefined ? {} : { loop: name === undefined ? loopName : loopNamed(loopName, known) };
  const resolved = resolveSettings({ ...options, ...loop, prompt: 'Whatever it is.', directory: session.directory }, { loops: known });
  if (resolved.kind === 'refused') throw new OptionsError(await session.located(resolved.faults));
  const bound = boundReport(resolved.settings, known);
  const machine = newestOf(bound.loop, known)?.id ?? bound.loop;
  return { value: { machine, ...bound }, lines: [...textOf(bound, `a run of ${machine}`, known), ...treeLines(bound)] };
}

/** Past machines fold the runs that they have; a new one begins on the newest. */
function loopNamed(name: string, known: readonly LoopDefinition[]): string {
  const { id } = findMachine(name, known);
  const newest = known.filter((one) => newestOf(loopNameOf(one.id), known) === one).map((one) => one.id);
  if (!newest.includes(id)) throw usage('NAME', `a machine that runs are started on: ${newest.join(', ')}`, `'${id}'`);
  return loopNameOf(id);
}

/** What a recorded run can still come to. */
async function ofRun(session: Session, { run: meant, last = false, at }: MachineFlags): Promise<Told> {
  const version = at === undefined ? undefined : wholeNumber('--at', at);
  const reference = { run: meant, last };
  const loops = await session.loops('read', { runs: [reference], otherwise: 'refuse' });
  const { run } = await findRun(loops.log, reference);
  await assertIntact(loops.log, run);
  const rebuilt = await loops.rebuild(run, version);
  await loops.log.close();
  if (rebuilt.kind === 'no_such_version') throw usage('--at', `a version from 1 to ${rebuilt.head}`, `${at}`);
  if (rebuilt.kind !== 'loaded') throw refusal(rebuilt, run);
  const { state } = rebuilt;
  const ranked = loops.definitions.filter(({ ranking }) => ranking);
  const loop = ranked.find(({ id }) => id === state.entry.id);
  if (!loop) throw usage('RUN', `a run of ${ranked.map(({ id }) => id).join(' or ')}, whose events can be counted`, state.entry.id, ['machine', '--run', shortId(run)]);
  const parts = partsLeft(loop, state);
  const events = parts.reduce((sum, part) => sum + part.events, 0);
  const lines = [`run ${run} at version ${state.version}: ${atMost(events, 'more event')}, ${BY_ITSELF}`, ...rowsOf(parts)];
  return { value: { run, machine: state.entry.id, version: state.version, parts, events }, lines };
}

function textOf({ loop, rounds, boundBy, parts, events, attempt }: Bound, what: string, known: readonly LoopDefinition[]): string[] {
  const { round, child } = wordsOf(newestOf(loop, known));
  // The option that sets it goes without the unit.
  const cap = boundBy === null ? '' : `, by ${boundBy.replace(/Ms$/, '')}`;
  return [
    `${what}: ${atMost(events, 'event')} after its first, ${BY_ITSELF}`,
    `  ${amountOf(rounds, round)}${cap}`,
    ...rowsOf(parts),
    ...(attempt ? textOf(attempt, `each ${child}`, known) : []),
  ];
}

const treeLines = ({ tree: { runs, events } }: Bound): string[] =>
  runs > 1 ? [`with all below it: ${amountOf(runs, 'run')}, ${atMost(events, 'event')}`] : [];

const rowsOf = (parts: Bound['parts']): string[] => {
  const used = parts.filter(({ events }) => events > 0);
  const widest = Math.max(0, ...used.map(({ events }) => figure(events).length));
  return columns(used.map(({ means, events }) => [`  ${figure(events).padStart(widest)}`, means]));
};

const atMost = (count: number, unit: string): string => (count === Infinity ? `${unit}s without end` : `at most ${amount(count, unit)}`);
const amountOf = (count: number, unit: string): string => (count === Infinity ? `${unit}s without end` : amount(count, unit));
const figure = (count: number): string => (count === Infinity ? '∞' : count.toLocaleString('en-US'));
