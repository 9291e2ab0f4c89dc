import { answererOf, catalogue, type CatalogueEntry } from '../../machines/index.ts';
import type { EventOf, LoopEvent, Recorded } from '../../machines/events.ts';
import type { Life } from '../../machines/life.ts';
import type { Json } from '../log/envelope.ts';
import { PROGRAM } from '../log/program-version.ts';
import { migratedState, MigrationError } from './migration.ts';
import {
  begin,
  contextFields,
  type Effect,
  freeze,
  type MachineSnapshot,
  refusal,
  step,
  type Stepped,
  thaw,
  type Traced,
  tracedStep,
} from './step.ts';
import type { Outstanding } from './outstanding-effects.ts';
import { admitQueued, queuedAgain, queues } from './queue.ts';

export type { Outstanding } from './outstanding-effects.ts';

/** A run at one version: folded from its log, and nothing else. */
export interface RunState {
  readonly entry: CatalogueEntry;
  readonly snapshot: MachineSnapshot;
  readonly version: number;
  /** When the newest event was recorded. */
  readonly at: string;
  readonly paused: boolean;
  readonly outstanding: readonly Outstanding[];
  /** How many of the effects that queue run at once. Absent: all of them. */
  readonly maxParallel?: number;
}

export const lifeOf = (state: RunState): Life => state.snapshot.context;
export const hasEnded = (state: RunState): boolean => state.snapshot.status !== 'active';

export type Opened = { readonly kind: 'opened'; readonly state: RunState } | UnknownMachine;

/**
 * This process cannot fold the run: it does not know the machine that wrote it, or the migration to that machine, or
 * the machine has another chart now.
 */
export interface UnknownMachine {
  readonly kind: 'unknown_machine';
  readonly machine: string;
  readonly known: readonly string[];
  /** Why a known machine cannot continue the run. */
  readonly because?: string;
  /** What to do. Absent: use the version that wrote it. */
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
  const { maxParallel } = started.payload.settings;
  const limit = maxParallel === undefined ? {} : { maxParallel };
  const state = { entry, snapshot, version, at, paused: false, outstanding: [], ...limit };
  return { kind: 'opened', state: { ...state, outstanding: outstandingAfter(state, effects) } };
}

const notLoaded = ({ path }: { readonly path: string | null }) => ({
  because: `its loop is a custom one${path === null ? '' : `, from ${path}`}, and was not loaded`,
  remedy: path === null ? 'Pass its definition in `loops`' : 'Restore the module, and pass its loop in `loops`',
});

const changed = (was: string, is: string) => ({
  because: `its chart has changed: digest ${short(was)} then, ${short(is)} now`,
  remedy: 'Restore the chart; give the changed one a new version, and a migration from the old one',
});

const short = (digest: string): string => digest.slice(0, 12);

/** Events that end a pause. Abort is one of them: its effects still have to complete. */
const ENDS_PAUSE: readonly LoopEvent['type'][] = ['run.resumed', 'run.continued', 'abort.requested'];

/** Why a run in this state does not take an event; null if it does. */
export function refusalOf(state: RunState, event: Recorded<LoopEvent>): 'ended' | 'unexpected' | null {
  if (event.type !== 'run.migrated' || hasEnded(state)) return refusal(state.snapshot, event);
  return typeof migrated(state, event) === 'string' ? 'unexpected' : null;
}

/** The state after one more event of the log. Effects are added to or removed from `outstanding`, never executed. */
export function fold(state: RunState, event: Recorded<LoopEvent>): RunState {
  if (event.type === 'run.migrated') {
    const next = migrated(state, event);
    if (typeof next === 'string') throw new MigrationError(event.payload.from, event.payload.to, next);
    return next;
  }
  return stepped(state, event, step(state.entry.machine, state.snapshot, event));
}

/** `fold`, and the transitions that the event takes: none for a migration. */
export function tracedFold(
  state: RunState,
  event: Recorded<LoopEvent>,
): { readonly state: RunState; readonly transitions: Traced['transitions'] } {
  if (event.type === 'run.migrated') return { state: fold(state, event), transitions: [] };
  const traced = tracedStep(state.entry.machine, state.snapshot, event);
  return { state: stepped(state, event, traced), transitions: traced.transitions };
}

function stepped(state: RunState, event: Recorded<LoopEvent>, { snapshot, effects }: Stepped): RunState {
  const { version, at } = event;
  const answered = answererOf(state.entry, event);
  const still = answered === null ? state.outstanding : state.outstanding.filter(({ key }) => key !== answered);
  const paused = event.type === 'run.paused' || (state.paused && !ENDS_PAUSE.includes(event.type));
  const next = { ...state, snapshot, version, at, paused, outstanding: carriedOver(still, event) };
  return { ...next, outstanding: outstandingAfter(next, effects) };
}

function carriedOver(outstanding: readonly Outstanding[], event: Recorded<LoopEvent>): readonly Outstanding[] {
  if (event.type === 'run.paused') return queuedAgain(outstanding, event.payload.queued ?? []);
  if (event.type !== 'run.resumed') return outstanding;
  return outstanding.map((one) => (one.queued ? one : { ...one, attempt: one.attempt + 1 }));
}

/** A run under the next version of its machine; or a sentence why that fails. Nothing starts and nothing stops. */
export function migrated(
  state: RunState,
  { version, at, payload: { from, to } }: Recorded<EventOf<'run.migrated'>>,
): RunState | string {
  if (from !== state.entry.id) return `it is folded by ${state.entry.id}, not by ${from}`;
  const carried = migratedState(state, to);
  return typeof carried === 'string' ? carried : { ...state, ...carried, version, at };
}

/** The outstanding effects after a step has started or stopped some. During a pause none that is queued starts. */
function outstandingAfter(after: RunState, effects: readonly Effect[]): readonly Outstanding[] {
  if (after.snapshot.status !== 'active') return [];
  const { pending } = after.snapshot.context as Life;
  const outstanding = startedOrStopped(after, effects, pending);
  return after.paused ? outstanding : admitQueued(outstanding, { ...after, pending });
}

function startedOrStopped(
  after: RunState,
  effects: readonly Effect[],
  pending: Life['pending'],
): readonly Outstanding[] {
  const { version, outstanding: before } = after;
  if (effects.length === 0 && !before.some(({ told }) => told)) return before;
  let outstanding = before;
  let n = 0;
  for (const effect of effects) {
    if (effect.kind === 'stop') {
      outstanding = outstanding.map((one) => (one.key === effect.key ? { ...one, told: true } : one));
    } else {
      const { key, actor, input } = effect;
      const place = queues(actor, after) ? { queued: true as const } : {};
      const started = { effect: `${version}/${n++}`, key, actor, input, attempt: 1, told: false, ...place };
      outstanding = [...outstanding.filter((one) => one.key !== key), started];
    }
  }
  // A machine waits only for what it counts as pending: a timer or a judge that was told has answered by that.
  return outstanding.filter(({ key, told }) => !told || key in pending);
}

/** A state as JSON, for a snapshot in the log's cache. */
export function freezeState({ entry, snapshot, version, at, paused, outstanding, maxParallel }: RunState): Json {
  const inputs = outstanding.map((one) => ({ ...one, input: { ...one.input } }));
  return {
    program: PROGRAM,
    machine: entry.id,
    snapshot: freeze(entry.machine, snapshot),
    version,
    at,
    paused,
    outstanding: inputs,
    ...(maxParallel === undefined ? {} : { maxParallel }),
  };
}

/**
 * The state of a cached snapshot. Null if its machine is unknown here, or its context has more fields today. Null too
 * if another version of the program stored it: that version may have read events that this one cannot.
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
