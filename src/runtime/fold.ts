import { answererOf, catalogue, type CatalogueEntry } from '../../machines/index.ts';
import type { EventOf, LoopEvent, Recorded } from '../../machines/events.ts';
import type { Life } from '../../machines/life.ts';
import type { Json } from '../log/envelope.ts';
import { PROGRAM } from '../log/program.ts';
import { carriedOver, MigrationError } from './migration.ts';
import { begin, contextFields, type Effect, type EffectInput, freeze, type MachineSnapshot, refusal, step, thaw } from './step.ts';

/** An effect that was asked for and has not answered. */
export interface Outstanding {
  /** `version/n`: the n-th effect that this version of the run asked for. */
  readonly effect: string;
  /** The id its machine knows it by. One key has at most one outstanding effect. */
  readonly key: string;
  readonly actor: string;
  readonly input: EffectInput;
  /** 1 at first, one more after each resume. */
  readonly attempt: number;
  /** Told to stop: still owes a last result, and is never started again. */
  readonly told: boolean;
}

/** A run at one version: folded from its log, and nothing else. */
export interface RunState {
  readonly entry: CatalogueEntry;
  readonly snapshot: MachineSnapshot;
  readonly version: number;
  /** When the newest event was recorded. */
  readonly at: string;
  readonly paused: boolean;
  readonly outstanding: readonly Outstanding[];
}

export const lifeOf = (state: RunState): Life => state.snapshot.context;
export const hasEnded = (state: RunState): boolean => state.snapshot.status !== 'active';

export type Opened =
  | { readonly kind: 'opened'; readonly state: RunState }
  | UnknownMachine;

/** Nobody here can fold it: the machine that wrote it is not known, or is another one now, or how the run came to it is not. */
export interface UnknownMachine {
  readonly kind: 'unknown_machine';
  readonly machine: string;
  readonly known: readonly string[];
  /** Why a machine that is known cannot go on with it. */
  readonly because?: string;
  /** What to do; to use the version that wrote it, if not said. */
  readonly remedy?: string;
  /** It has the name and the version of the one that wrote it, and another chart. */
  readonly isChanged?: true;
}

/** A run is folded by the version of the machine that wrote it, or not at all. */
export function open(
  started: Recorded<Extract<LoopEvent, { type: 'run.started' }>>,
  machines: readonly CatalogueEntry[] = catalogue,
): Opened {
  const { machine, module } = started.payload;
  const entry = entryOf(machine, machines);
  const known = machines.map(({ id }) => id);
  if (!entry) return { kind: 'unknown_machine', machine, known, ...(module ? notLoaded(module) : {}) };
  if (module && entry.module && module.digest !== entry.module.digest) {
    return { kind: 'unknown_machine', machine, known, isChanged: true, ...changed(module.digest, entry.module.digest) };
  }
  const { snapshot, effects } = begin(entry.machine, started);
  const { version, at } = started;
  const state = { entry, snapshot, version, at, paused: false, outstanding: [] };
  return { kind: 'opened', state: { ...state, outstanding: reckon(state, effects, snapshot, version) } };
}

const notLoaded = ({ path }: { readonly path: string | null }) => ({
  because: `its loop is one of somebody's own${path === null ? '' : `, from ${path}`}, and was not loaded`,
  remedy: path === null ? 'Hand its definition in' : 'Put the module back, and hand its loop in',
});

const changed = (was: string, is: string) => ({
  because: `its chart is another one today: digest ${short(was)} then, ${short(is)} now`,
  remedy: 'Put the chart back; give the changed one a new version, and a migration from the old one',
});

const short = (digest: string): string => digest.slice(0, 12);

/** What sets a paused run going again: an abort too, because its last results are still to be heard. */
const TAKING_UP: readonly LoopEvent['type'][] = ['run.resumed', 'run.continued', 'abort.requested'];

/** Why a run in this state does not take an event; null if it does. */
export function refusalOf(state: RunState, event: Recorded<LoopEvent>): 'ended' | 'unexpected' | null {
  if (event.type !== 'run.migrated' || hasEnded(state)) return refusal(state.snapshot, event);
  return typeof migrated(state, event) === 'string' ? 'unexpected' : null;
}

/** The state after one more event of the log. Effects are accounted for, never performed. */
export function fold(state: RunState, event: Recorded<LoopEvent>): RunState {
  if (event.type === 'run.migrated') {
    const next = migrated(state, event);
    if (typeof next === 'string') throw new MigrationError(event.payload.from, event.payload.to, next);
    return next;
  }
  const { snapshot, effects } = step(state.entry.machine, state.snapshot, event);
  const { version, at } = event;
  const answered = answererOf(state.entry, event);
  const still = answered === null ? state.outstanding : state.outstanding.filter(({ key }) => key !== answered);
  const resumed = event.type === 'run.resumed';
  const outstanding = resumed ? still.map((one) => ({ ...one, attempt: one.attempt + 1 })) : still;
  return {
    entry: state.entry,
    snapshot,
    version,
    at,
    paused: event.type === 'run.paused' || (state.paused && !TAKING_UP.includes(event.type)),
    outstanding: reckon({ outstanding }, effects, snapshot, version),
  };
}

/** A run under the next version of its machine; or, in words, why it cannot be. Nothing starts and nothing stops. */
export function migrated(state: RunState, { version, at, payload: { from, to } }: Recorded<EventOf<'run.migrated'>>): RunState | string {
  if (from !== state.entry.id) return `it is folded by ${state.entry.id}, not by ${from}`;
  const carried = carriedOver(state, to);
  return typeof carried === 'string' ? carried : { ...state, ...carried, version, at };
}

/** What owes an answer once these effects are asked for. */
function reckon(
  before: { readonly outstanding: readonly Outstanding[] },
  effects: readonly Effect[],
  snapshot: MachineSnapshot,
  version: number,
): readonly Outstanding[] {
  if (snapshot.status !== 'active') return [];
  if (effects.length === 0 && !before.outstanding.some(({ told }) => told)) return before.outstanding;
  let outstanding = before.outstanding;
  let n = 0;
  for (const effect of effects) {
    if (effect.kind === 'stop') {
      outstanding = outstanding.map((one) => (one.key === effect.key ? { ...one, told: true } : one));
    } else {
      const { key, actor, input } = effect;
      const started = { effect: `${version}/${n++}`, key, actor, input, attempt: 1, told: false };
      outstanding = [...outstanding.filter((one) => one.key !== key), started];
    }
  }
  // A machine waits only for what it counts as pending: a timer or a judge that was told has answered by that.
  const { pending } = snapshot.context as Life;
  return outstanding.filter(({ key, told }) => !told || key in pending);
}

/** A state as JSON, for a snapshot in the log's cache. */
export function freezeState({ entry, snapshot, version, at, paused, outstanding }: RunState): Json {
  const inputs = outstanding.map((one) => ({ ...one, input: { ...one.input } }));
  return { program: PROGRAM, machine: entry.id, snapshot: freeze(entry.machine, snapshot), version, at, paused, outstanding: inputs };
}

/**
 * The state a cached snapshot stands for; null if its machine is unknown here, or remembers more today. Null too if another
 * version of the program stored it: it may have read events that this one cannot.
 */
export function thawState(frozen: Json, machines: readonly CatalogueEntry[] = catalogue): RunState | null {
  const { program, machine, snapshot, ...rest } = frozen as unknown as Omit<RunState, 'entry' | 'snapshot'> & {
    program?: string;
    machine: string;
    snapshot: Json;
  };
  const entry = entryOf(machine, machines);
  const { context } = snapshot as { readonly context: object };
  if (!entry || program !== PROGRAM || contextFields(entry.machine).some((field) => !(field in context))) return null;
  return { ...rest, entry, snapshot: thaw(entry.machine, snapshot) };
}

const entryOf = (machine: string, machines: readonly CatalogueEntry[]) => machines.find(({ id }) => id === machine);
