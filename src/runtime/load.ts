import type { EventOf, LoopEvent, Recorded } from '../../machines/events.ts';
import { catalogue, type CatalogueEntry } from '../../machines/index.ts';
import type { RunSettings } from '../../machines/settings.ts';
import type { Envelope } from '../log/envelope.ts';
import type { Log } from '../log/log.ts';
import type { Cast } from './cast.ts';
import type { Casting } from './casting.ts';
import { assertFollows } from './intact.ts';
import { fold, migrated, open, type RunState, thawState } from './fold.ts';
import { definitionOf, type LoopDefinition } from './loop-definition.ts';
import { SignsOfLife } from './signs-of-life.ts';

export type Loaded<Extra = unknown> =
  | ({ readonly kind: 'loaded'; readonly state: RunState; readonly settings: RunSettings } & Extra)
  | { readonly kind: 'unknown_run'; readonly run: string }
  | UnknownMachine
  | { readonly kind: 'no_such_version'; readonly head: number };

/** Nobody here can fold it: the machine that wrote it is not known, or how the run came to that machine. */
export interface UnknownMachine {
  readonly kind: 'unknown_machine';
  readonly machine: string;
  readonly known: readonly string[];
  /** Why a machine that is known cannot go on with it. */
  readonly because?: string;
}

/** An envelope holds what a machine sees; what only the log needs is ignored. */
const eventOf = (envelope: Envelope) => envelope as unknown as Recorded<LoopEvent>;

/** A run with those who serve it. `idleSince`: from when on no limit has counted its time. */
export type Loadable = { readonly cast: Cast; readonly idleSince: string };

/** Folds a whole run, and lets a new cast watch it. */
export async function load(log: Log, run: string, casting: Casting, loops: readonly LoopDefinition[]): Promise<Loaded<Loadable>> {
  let loaded: { state: RunState; settings: RunSettings; cast: Cast } | null = null;
  const signs = new SignsOfLife();
  for await (const envelope of log.read(run)) {
    const event = eventOf(envelope);
    assertFollows(run, loaded?.state.version ?? 0, envelope.version);
    if (loaded) {
      const unknown = unknownTo(loaded.state, event, loops);
      if (unknown) return unknown;
      loaded.state = fold(loaded.state, event);
    } else {
      const started = event as Recorded<EventOf<'run.started'>>;
      const opened = open(started, loops);
      if (opened.kind !== 'opened') return opened;
      const { settings } = started.payload;
      const loop = definitionOf(opened.state.entry.id, loops);
      loaded = { state: opened.state, settings, cast: casting(run, settings, loop) };
    }
    loaded.cast.observe({ ...event, run: envelope.run }, loaded.state);
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
export async function rebuild(log: Log, run: string, at?: number, machines: readonly CatalogueEntry[] = catalogue): Promise<Loaded> {
  const first = await firstOf(log, run);
  if (!first) return { kind: 'unknown_run', run };
  const opened = open(first, machines);
  if (opened.kind !== 'opened') return opened;
  const cached = await log.latestSnapshot(run, at);
  let state = (cached && thawState(cached.state, machines)) ?? opened.state;
  const range = { from: state.version + 1, ...(at === undefined ? {} : { to: at }) };
  for await (const envelope of log.read(run, range)) {
    assertFollows(run, state.version, envelope.version);
    const event = eventOf(envelope);
    const unknown = unknownTo(state, event, machines);
    if (unknown) return unknown;
    state = fold(state, event);
  }
  if (at !== undefined && state.version !== at) return { kind: 'no_such_version', head: state.version };
  return { kind: 'loaded', state, settings: first.payload.settings };
}

/** What a run was migrated to has to be known, and the way there. */
export function unknownTo(state: RunState, event: Recorded<LoopEvent>, machines: readonly CatalogueEntry[]): UnknownMachine | null {
  if (event.type !== 'run.migrated') return null;
  const next = migrated(state, event);
  const known = machines.map(({ id }) => id);
  return typeof next === 'string' ? { kind: 'unknown_machine', machine: event.payload.to, known, because: next } : null;
}

async function firstOf(log: Log, run: string): Promise<Recorded<EventOf<'run.started'>> | null> {
  for await (const envelope of log.read(run, { from: 1, to: 1 })) return eventOf(envelope) as Recorded<EventOf<'run.started'>>;
  return null;
}
