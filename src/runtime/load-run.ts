import { catalogue, type CatalogueEntry } from '../../machines/index.ts';
import type { LoopEvent, Recorded } from '../../machines/events.ts';
import type { RunSettings } from '../../machines/settings.ts';
import type { BareEnvelope, EventStore } from '../log/event-store.ts';
import type { SnapshotStore } from '../log/log.ts';
import type { Unreadable } from '../log/read-event.ts';
import { firstUnreadable, Reading } from '../log/reading.ts';
import { trustOf } from '../log/state-mark.ts';
import type { EffectHandlers } from '../kernel/effect-handlers.ts';
import type { MakeHandlers } from './make-handlers.ts';
import { assertFollows, startOf } from './intact.ts';
import { fold, migrated, open, type RunState, thawState, type UnknownMachine } from '../kernel/fold.ts';
import { definitionOf, type LoopDefinition } from '../kernel/loop-definition.ts';
import { SignsOfLife } from './last-activity.ts';

export type Loaded<Extra = unknown> =
  | ({
      readonly kind: 'loaded';
      readonly state: RunState;
      readonly settings: RunSettings;
      /** The version of a stored state that is not the one that was stored: it was not used. */
      readonly edited?: number;
    } & Extra)
  | { readonly kind: 'unknown_run'; readonly run: string }
  | NotFolded
  | { readonly kind: 'no_such_version'; readonly head: number };

/** What to say where `edited` is there. */
export const editedText = (run: string, version: number): string =>
  `run ${run}: the state that is stored for version ${version} is not the one that was stored; the run was folded from ` +
  `its events. \`loopfold check\` tells whether more was changed.`;

/** A run that this program, with these loops, cannot fold. */
export type NotFolded = UnknownMachine | Unreadable;

/** The handlers of a folded run. `idleSince`: since when no limit has counted its time. */
export type WithHandlers = { readonly handlers: EffectHandlers; readonly idleSince: string };

/** A run that was folded whole, with the handlers that observed it. */
export type LoadedRun = Extract<Loaded<WithHandlers>, { kind: 'loaded' }>;

/** Folds a whole run, and lets new handlers observe it. */
export function load(
  log: EventStore,
  run: string,
  makeHandlers: MakeHandlers,
  loops: readonly LoopDefinition[],
): Promise<Loaded<WithHandlers>> {
  return orUnreadable(log, run, loops, () => watched(log, run, makeHandlers, loops));
}

async function watched(
  log: EventStore,
  run: string,
  makeHandlers: MakeHandlers,
  loops: readonly LoopDefinition[],
): Promise<Loaded<WithHandlers>> {
  let loaded: { state: RunState; settings: RunSettings; handlers: EffectHandlers } | null = null;
  const signs = new SignsOfLife();
  const reading = new Reading(loops);
  for await (const page of log.pages(run)) {
    for (const envelope of page) {
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
        loaded = { state: opened.state, settings, handlers: makeHandlers(run, settings, loop) };
      }
      loaded.handlers.observe(event, loaded.state);
      signs.observe(envelope, loaded.state);
    }
  }
  return loaded ? { kind: 'loaded', ...loaded, idleSince: signs.idleSince } : { kind: 'unknown_run', run };
}

/**
 * The state of a run at a version, or at its head: from the newest cached state at or below it, or from the beginning.
 * A cached state that is not the one that was stored is not used, nor one of which nothing was recorded.
 *
 * @example
 * const rebuilt = await rebuild(log, run, 42);
 * if (rebuilt.kind === 'loaded') console.log(rebuilt.state.snapshot.value);
 */
export function rebuild(
  log: EventStore & SnapshotStore,
  run: string,
  at?: number,
  machines: readonly CatalogueEntry[] = catalogue,
): Promise<Loaded> {
  return orUnreadable(log, run, machines, () => rebuilt(log, run, at, machines));
}

async function rebuilt(
  log: EventStore & SnapshotStore,
  run: string,
  at: number | undefined,
  machines: readonly CatalogueEntry[],
): Promise<Loaded> {
  const reading = new Reading(machines);
  const [envelope] = await firstPage(log, run);
  if (!envelope) return { kind: 'unknown_run', run };
  const first = reading.read(envelope);
  if (first.kind === 'unreadable') return notFolded(first, machines);
  const started = startOf(run, first.event);
  const opened = open(started, machines);
  if (opened.kind !== 'opened') return opened;
  const cached = await log.latestSnapshot(run, at);
  const trust = cached && (await trustOf(log, run, cached));
  const thawed = cached && trust === 'as-stored' ? thawState(cached.state, machines) : null;
  let state = thawed ?? opened.state;
  // Between the start and a stored state, another program may have continued the run.
  const rest = thawed ? new Reading(machines, { machine: thawed.entry.id }) : reading;
  const range = { from: state.version + 1, ...(at === undefined ? {} : { to: at }) };
  for await (const page of log.pages(run, range)) {
    for (const envelope of page) {
      assertFollows(run, state.version, envelope.version);
      const read = rest.read(envelope);
      if (read.kind === 'unreadable') return read;
      const unknown = unknownTo(state, read.event, machines);
      if (unknown) return unknown;
      state = fold(state, read.event);
    }
  }
  if (at !== undefined && state.version !== at) return { kind: 'no_such_version', head: state.version };
  const edited = cached && trust === 'edited' ? { edited: cached.version } : {};
  return { kind: 'loaded', state, settings: started.payload.settings, ...edited };
}

async function firstPage(log: EventStore, run: string): Promise<readonly BareEnvelope[]> {
  for await (const page of log.pages(run, { from: 1, to: 1 })) return page;
  return [];
}

/** A fold may have failed on an event that does not fit its schema: payloads are parsed only after a failure. */
export async function orUnreadable<Result>(
  log: EventStore,
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

/** An unreadable event of a machine that is unknown here is reported as the unknown machine. */
export function notFolded(unreadable: Unreadable, machines: readonly CatalogueEntry[]): NotFolded {
  const { machine } = unreadable.writtenBy;
  const known = machines.map(({ id }) => id);
  if (machine === null || known.some((id) => id === machine)) return unreadable;
  return { kind: 'unknown_machine', machine, known };
}

/** Reports a migration to a machine that is unknown here, or that this process does not know the way to. */
export function unknownTo(
  state: RunState,
  event: Recorded<LoopEvent>,
  machines: readonly CatalogueEntry[],
): UnknownMachine | null {
  if (event.type !== 'run.migrated') return null;
  const next = migrated(state, event);
  const known = machines.map(({ id }) => id);
  return typeof next === 'string' ? { kind: 'unknown_machine', machine: event.payload.to, known, because: next } : null;
}
