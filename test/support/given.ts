import { expect } from 'vitest';
import type { EventOf, LoopEvent, Recorded } from '../../machines/events.ts';
import { catalogue, type CatalogueEntry } from '../../machines/index.ts';
import type { Life } from '../../machines/life.ts';
import { begin, type Effect, type MachineSnapshot, refusal, step } from '../../src/runtime/step.ts';
import { placeOf } from '../../src/testing/graph.ts';
import { started } from './facts.ts';

type Machine = CatalogueEntry['machine'];

/** A fact, and how long after the one before it: a second, unless `later` says otherwise. */
export type Dated = LoopEvent & { readonly afterMs?: number };
export const later = (afterMs: number, event: LoopEvent): Dated => ({ ...event, afterMs });

/** The time, so long after the run was started. */
export const clock = (ms: number): string => new Date(Date.UTC(2026, 2, 1, 12) + ms).toISOString();

export interface Consequence {
  /** `tools.running`, `decide.ending.farewell`, `success`. */
  readonly state: string;
  /** Ids of the effects that start, in order. */
  readonly starts?: readonly string[];
  /** Ids of the effects that are dismissed, in order: they have answered, or nobody waits for them. */
  readonly stops?: readonly string[];
  /** Ids of the effects that are told to stop and still owe a last result, in order. */
  readonly told?: readonly string[];
  /** All that is owed. */
  readonly pending?: Life['pending'];
  /** Part of what the machine remembers. */
  readonly remembers?: object;
}

type Standing = Omit<Consequence, 'starts' | 'stops' | 'told'>;

interface Moment {
  readonly entry: CatalogueEntry;
  readonly snapshot: MachineSnapshot;
  readonly effects: readonly Effect[];
  readonly at: string;
  readonly version: number;
}

/**
 * `given(turn, ...history).when(event).then({ state, starts })`: a run is its history, so a test is one too.
 *
 * A history without `run.started` begins with one of no particular settings. What `then` does not name must not have
 * started or stopped.
 */
export function given(machine: Machine, ...history: readonly Dated[]) {
  const now = history.reduce<Moment | null>((before, event) => accepted(before, machine, event), null) ?? born(machine);
  return {
    /** The moment itself. */
    is: (expected: Standing) => matches(now, expected),
    when: (event: Dated) => ({
      // oxlint-disable-next-line unicorn/no-thenable -- given, when, then: nobody awaits a sentence.
      then: (expected: Consequence) => follows(accepted(now, machine, event), expected),
      thenRefused: (because: 'unexpected' | 'ended') => expect(refusal(now.snapshot, dated(now, event))).toBe(because),
    }),
    /** The effects that its beginning asks for. */
    starts: (expected: readonly string[]) => expect(keys(now.effects, 'start')).toEqual(expected),
    inputs: (expected: readonly object[]) => expect(of(now.effects, 'start')).toEqual(expected),
  };
}

function accepted(before: Moment | null, machine: Machine, event: Dated): Moment {
  if (before === null && event.type === 'run.started') return born(machine, event);
  const now = before ?? born(machine);
  const recorded = dated(now, event);
  const because = refusal(now.snapshot, recorded);
  const { at, version } = recorded;
  if (because) throw new Error(`${event.type}, version ${version}, is refused in ${placeOf(now.snapshot)}: ${because}`);
  return { entry: now.entry, at, version, ...step(machine, now.snapshot, recorded) };
}

function born(machine: Machine, opening?: EventOf<'run.started'>): Moment {
  const entry = catalogue.find((candidate) => candidate.machine === machine);
  if (!entry) throw new Error(`${machine.id} is not in the catalogue`);
  const { type, payload } = opening ?? started(machine.id === 'turn' ? 'turn' : 'iteration');
  const recorded = { type, payload, at: clock(0), version: 1 };
  return { entry, at: recorded.at, version: 1, ...begin(machine, recorded) };
}

/** Only what its machine's vocabulary holds may happen in a test. */
function dated({ entry, at, version }: Moment, { afterMs = 1000, ...event }: Dated): Recorded<LoopEvent> {
  const parsed = entry.events.parse(event) as LoopEvent;
  return { ...parsed, at: new Date(Date.parse(at) + afterMs).toISOString(), version: version + 1 };
}

function follows(now: Moment, { starts = [], stops = [], told = [], ...expected }: Consequence): void {
  matches(now, expected);
  const { pending } = now.snapshot.context as Life;
  const stopped = keys(now.effects, 'stop');
  expect({
    starts: keys(now.effects, 'start'),
    stops: stopped.filter((key) => pending[key] !== 'told'),
    told: stopped.filter((key) => pending[key] === 'told'),
  }).toEqual({ starts, stops, told });
}

function matches({ snapshot }: Moment, { state, pending, remembers }: Standing): void {
  expect(placeOf(snapshot)).toBe(state);
  if (pending) expect(snapshot.context.pending).toEqual(pending);
  if (remembers) expect(snapshot.context).toMatchObject(remembers);
}

const of = (effects: readonly Effect[], kind: Effect['kind']) => effects.filter((effect) => effect.kind === kind);
const keys = (effects: readonly Effect[], kind: Effect['kind']) => of(effects, kind).map(({ key }) => key);
