import { catalogue, type CatalogueEntry } from '../../machines/index.ts';
import type { LoopEvent, Recorded } from '../../machines/events.ts';
import type { RunSettings } from '../../machines/settings.ts';
import type { Log } from '../log/log.ts';
import type { Fact, Unreadable } from '../log/read-event.ts';
import { firstUnreadable, Reading } from '../log/reading.ts';
import type { Cast } from './cast.ts';
import type { Casting } from './casting.ts';
import { assertFollows, startOf } from './intact.ts';
import { fold, migrated, open, type RunState, thawState, type UnknownMachine } from './fold.ts';
import { definitionOf, type LoopDefinition } from './loop-definition.ts';
import { SignsOfLife } from './signs-of-life.ts';

export type Loaded<Extra = unknown> =
  | ({ readonly kind: 'loaded'; readonly state: RunState; readonly settings: RunSettings } & Extra)
  | { readonly kind: 'unknown_run'; readonly run: string }
  | NotFolded
  | { readonly kind: 'no_such_version'; readonly head: number };

/** A run that this program, with these loops, cannot fold. */
export type NotFolded = UnknownMachine | Unreadable;

/** A run with those who serve it. `idleSince`: from when on no limit has counted its time. */
export type Loadable = { readonly cast: Cast; readonly idleSince: string };

/** Folds a whole run, and lets a new cast watch it. */
export function load(log: Log, run: string, casting: Casting, loops: readonly LoopDefinition[]): Promise<Loaded<Loadable>> {
  return orUnreadable(log, run, loops, () => watched(log, run, casting, loops));
}

async function watched(log: Log, run: string, casting: Casting, loops: readonly LoopDefinition[]): Promise<Loaded<Loadable>> {
  let loaded: { state: RunState; settings: RunSettings; cast: Cast } | null = null;
  const signs = new SignsOfLife();
  const reading = new Reading(loops);
  for await (const envelope of log.read(run)) {
    assertFollows(run, loaded?.state.version ?? 0, envelope.version);
    const read = reading.read(envelope);
    if (read.kind === 'unreadable') return notFolded(read, loops);
    const { event } = read;
    if (loaded) {
      const unknown = unknownTo(loaded.state, event, loops);
      if (unknown) return unknown;
      loaded.state = fold(loaded.state, event);
    } else {
      const started = startOf(run, event);
      const opened = open(started, loops);
      if (opened.kind !== 'opened') return opened;
      const { settings } = started.payload;
      const loop = definitionOf(opened.state.entry.id, loops);
      loaded = { state: opened.state, settings, cast: casting(run, settings, loop) };
    }
    loaded.cast.observe(event, loaded.state);
    signs.observe(envelope, loaded.state);
  }
  return loaded ? { kind: 'loaded', ...loaded, idleSince: signs.idleSince } : { kind: 'unknown_run', run };
}

/**
 * The state of a run at a version, or at its head: from the newest cached state at or below it, or from the beginning.
 *
 * @example
 * const rebuilt = await rebuild(log, run, 42);
 * if (rebuilt.kind === 'loaded') console.log(rebuilt.state.snapshot.value);
 */
export function rebuild(log: Log, run: string, at?: number, machines: readonly CatalogueEntry[] = catalogue): Promise<Loaded> {
  return orUnreadable(log, run, machines, () => rebuilt(log, run, at, machines));
}

async function rebuilt(log: Log, run: string, at: number | undefined, machines: readonly CatalogueEntry[]): Promise<Loaded> {
  const reading = new Reading(machines);
  let first: Fact | null = null;
  for await (const envelope of log.read(run, { from: 1, to: 1 })) {
    const read = reading.read(envelope);
    if (read.kind === 'unreadable') return notFolded(read, machines);
    first = read.event;
  }
  if (!first) return { kind: 'unknown_run', run };
  const started = startOf(run, first);
  const opened = open(started, machines);
  if (opened.kind !== 'opened') return opened;
  const cached = await log.latestSnapshot(run, at);
  const thawed = cached && thawState(cached.state, machines);
  let state = thawed ?? opened.state;
  // Between the start and a stored state, another program may have taken it up.
  const rest = thawed ? new Reading(machines, { machine: thawed.entry.id }) : reading;
  const range = { from: state.version + 1, ...(at === undefined ? {} : { to: at }) };
  for await (const envelope of log.read(run, range)) {
    assertFollows(run, state.version, envelope.version);
    const read = rest.read(envelope);
    if (read.kind === 'unreadable') return read;
    const unknown = unknownTo(state, read.event, machines);
    if (unknown) return unknown;
    state = fold(state, read.event);
  }
  if (at !== undefined && state.version !== at) return { kind: 'no_such_version', head: state.version };
  return { kind: 'loaded', state, settings: started.payload.settings };
}

/** What breaks a fold may be an event that does not fit: payloads are parsed then, and not before. */
export async function orUnreadable<Result>(
  log: Log,
  run: string,
  machines: readonly CatalogueEntry[],
  folding: () => Promise<Result>,
): Promise<Result | Unreadable> {
  try {
    return await folding();
  } catch (error) {
    const found = await firstUnreadable(log, run, machines);
    if (found) return found;
    throw error;
  }
}

/** Of a machine that is not known here, an event that cannot be read is what is to be expected. */
export function notFolded(unreadable: Unreadable, machines: readonly CatalogueEntry[]): NotFolded {
  const { machine } = unreadable.writtenBy;
  const known = machines.map(({ id }) => id);
  if (machine === null || known.some((id) => id === machine)) return unreadable;
  return { kind: 'unknown_machine', machine, known };
}

/** What a run was migrated to has to be known, and the way there. */
export function unknownTo(state: RunState, event: Recorded<LoopEvent>, machines: readonly CatalogueEntry[]): UnknownMachine | null {
  if (event.type !== 'run.migrated') return null;
  const next = migrated(state, event);
  const known = machines.map(({ id }) => id);
  return typeof next === 'string' ? { kind: 'unknown_machine', machine: event.payload.to, known, because: next } : null;
}
