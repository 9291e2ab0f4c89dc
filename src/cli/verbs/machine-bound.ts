import { runValues } from '../../config/config.ts';
import { resolveSettings } from '../../config/resolve.ts';
import { OptionsError } from '../../app/start/options-error.ts';
import { boundLeftLines, boundLines } from '../pages/bound-page.ts';
import { type LoopDefinition, loopNameOf, newestOf } from '../../kernel/loop-definition.ts';
import { boundReport, partsLeft } from '../../termination/bound.ts';
import { asJson } from '../pages/as-json.ts';
import { usage } from '../pages/complaint.ts';
import { findMachine, meansRun } from '../args/find-machine.ts';
import { findRun, shortId } from '../args/find-run.ts';
import { rebuiltState } from '../pages/rebuilt-state.ts';
import type { Session } from '../session.ts';
import { wholeNumber } from '../args/whole-number.ts';
import type { MachineFlags } from './machine.ts';

/**
 * The most events that a run can take: a new run with these options, or a recorded one from its present state.
 */
export async function machineBound(session: Session, name: string | undefined, flags: MachineFlags): Promise<number> {
  const { format, json = format === 'json', depth, detail } = flags;
  if (format !== undefined && format !== 'json')
    throw usage('--format', 'json, or nothing, to go with --bound', `'${format}'`);
  if (depth !== undefined || detail !== undefined)
    throw usage(depth === undefined ? '--detail' : '--depth', 'a drawing to go with it', '--bound');
  const { value, lines } = meansRun(name, flags) ? await ofRun(session, flags) : await ofSettings(session, name);
  for (const line of json ? [asJson(value, 2)] : lines) session.streams.out.line(line);
  return 0;
}

interface Told {
  /** As JSON: unbounded is null. */
  readonly value: unknown;
  readonly lines: readonly string[];
}

/** The bound of a run started with these options. */
async function ofSettings(session: Session, name: string | undefined): Promise<Told> {
  const options = runValues((await session.config()).values);
  const asked = name ?? options.loop;
  const loopName = asked && (await session.loopName(asked));
  const known = await session.knownLoops();
  const loop = loopName === undefined ? {} : { loop: name === undefined ? loopName : loopNamed(loopName, known) };
  const resolved = resolveSettings(
    { ...options, ...loop, prompt: 'Whatever it is.', directory: session.directory },
    { loops: known },
  );
  if (resolved.kind === 'refused') throw new OptionsError(await session.located(resolved.faults));
  const bound = boundReport(resolved.settings, known);
  const machine = newestOf(bound.loop, known)?.id ?? bound.loop;
  return { value: { machine, ...bound }, lines: boundLines(bound, machine, known) };
}

/** New runs start on the newest machine only; past machines fold their recorded runs. */
function loopNamed(name: string, known: readonly LoopDefinition[]): string {
  const { id } = findMachine(name, known);
  const newest = known.filter((one) => newestOf(loopNameOf(one.id), known) === one).map((one) => one.id);
  if (!newest.includes(id)) throw usage('NAME', `a machine that runs are started on: ${newest.join(', ')}`, `'${id}'`);
  return loopNameOf(id);
}

/** The bound of a recorded run from its present state. */
async function ofRun(session: Session, { run: meant, last = false, at }: MachineFlags): Promise<Told> {
  const version = at === undefined ? undefined : wholeNumber('--at', at);
  const reference = { run: meant, last };
  const loops = await session.loops('read', { runs: [reference], otherwise: 'refuse' });
  const { run } = await findRun(loops.log, reference);
  const state = await rebuiltState(loops, run, version, (message) => session.streams.err.line(`warning: ${message}`));
  const ranked = loops.definitions.filter(({ ranking }) => ranking);
  const loop = ranked.find(({ id }) => id === state.entry.id);
  if (!loop)
    throw usage(
      'RUN',
      `a run of ${ranked.map(({ id }) => id).join(' or ')}, whose events can be counted`,
      state.entry.id,
      ['machine', '--run', shortId(run)],
    );
  const parts = partsLeft(loop, state);
  const events = parts.reduce((sum, part) => sum + part.events, 0);
  const left = { run, machine: state.entry.id, version: state.version, parts, events };
  return { value: left, lines: boundLeftLines(left) };
}
