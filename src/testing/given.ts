import { AssertionError, deepStrictEqual } from 'node:assert/strict';
import { z } from 'zod';
import type { AnyEvent, LoopEvent, Recorded } from '../../machines/events.ts';
import type { CatalogueEntry } from '../../machines/index.ts';
import type { Life } from '../../machines/life.ts';
import { placeOf } from '../runtime/mark.ts';
import { begin, type Effect, type MachineSnapshot, refusal, step } from '../runtime/step.ts';
import { clock } from './clock.ts';
import type { Loop } from './loop.ts';

/** A fact, and how long after the one before it: a second, unless `afterMs` says otherwise. */
export type Dated<Event extends AnyEvent = LoopEvent> = Event & { readonly afterMs?: number };

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
  readonly loop: CatalogueEntry;
  readonly snapshot: MachineSnapshot;
  readonly effects: readonly Effect[];
  readonly at: string;
  readonly version: number;
}

/**
 * `given(loop, ...history).when(event).then({ state, starts })`: a run is its history, so a proof is one too.
 *
 * A history begins with `run.started`. What `then` does not name must not have started or stopped. Throws an
 * `AssertionError` that shows both sides.
 *
 * @example
 * given(loop, started, goOn, settled).when(captured).then({ state: 'verify.checking', starts: ['checks'], stops: ['capture'] });
 */
export function given<Event extends AnyEvent>(loop: Loop<Event>, ...history: readonly Dated<Event>[]) {
  const [opening, ...facts] = history;
  const now = facts.reduce(accepted, born(loop, opening));
  return {
    /** The moment itself. */
    is: (expected: Standing): void => matches(now, expected),
    when: (event: Dated<Event>) => ({
      // oxlint-disable-next-line unicorn/no-thenable -- given, when, then: nobody awaits a sentence.
      then: (expected: Consequence): void => follows(accepted(now, event), expected),
      thenRefused: (because: 'unexpected' | 'ended'): void =>
        same(refusal(now.snapshot, dated(now, event)), because, `whether ${event.type} is refused in ${placeOf(now.snapshot)}`),
    }),
    /** The effects that its last event asks for. */
    starts: (expected: readonly string[]): void => same(keys(now.effects, 'start'), expected, 'what starts'),
    inputs: (expected: readonly object[]): void => same(of(now.effects, 'start'), expected, 'what starts'),
  };
}

function born(loop: CatalogueEntry, opening: Dated<AnyEvent> | undefined): Moment {
  const { success, data } = loop.events.safeParse(opening);
  if (!success || !isOpening(data)) throw new AssertionError({ message: 'a history begins with run.started' });
  const recorded = { type: data.type, payload: data.payload, at: clock(0), version: 1 };
  return { loop, at: recorded.at, version: 1, ...begin(loop.machine, recorded) };
}

const isOpening = (event: unknown): event is Extract<LoopEvent, { type: 'run.started' }> =>
  (event as AnyEvent).type === 'run.started';

function accepted(now: Moment, event: Dated<AnyEvent>): Moment {
  const recorded = dated(now, event);
  const because = refusal(now.snapshot, recorded);
  const { at, version } = recorded;
  if (because) {
    const message = `${event.type}, version ${version}, is refused in ${placeOf(now.snapshot)}: ${because}`;
    throw new AssertionError({ message, actual: because, expected: null, operator: 'accepted' });
  }
  return { loop: now.loop, at, version, ...step(now.loop.machine, now.snapshot, recorded) };
}

/** Only what its loop's vocabulary holds may happen in a proof. */
function dated({ loop, at, version }: Moment, { afterMs = 1000, ...event }: Dated<AnyEvent>): Recorded<LoopEvent> {
  const parsed = loop.events.safeParse(event);
  if (!parsed.success) {
    throw new AssertionError({ message: `${event.type} is no event of ${loop.id}:\n${z.prettifyError(parsed.error)}` });
  }
  return { ...(parsed.data as LoopEvent), at: new Date(Date.parse(at) + afterMs).toISOString(), version: version + 1 };
}

function follows(now: Moment, { starts = [], stops = [], told = [], ...expected }: Consequence): void {
  matches(now, expected);
  same(askedFor(now), { starts, stops, told }, 'what starts and stops');
}

function askedFor({ snapshot, effects }: Moment): Required<Pick<Consequence, 'starts' | 'stops' | 'told'>> {
  const { pending } = snapshot.context as Life;
  const stopped = keys(effects, 'stop');
  return {
    starts: keys(effects, 'start'),
    stops: stopped.filter((key) => pending[key] !== 'told'),
    told: stopped.filter((key) => pending[key] === 'told'),
  };
}

/** Where the last event of a history leads, and what it starts and stops. */
export function consequenceOf(loop: CatalogueEntry, [opening, ...facts]: readonly Dated<AnyEvent>[]): Consequence {
  const now = facts.reduce(accepted, born(loop, opening));
  const asked = Object.entries(askedFor(now)).filter(([, ids]) => ids.length > 0);
  return { state: placeOf(now.snapshot), ...Object.fromEntries(asked) };
}

function matches({ snapshot }: Moment, { state, pending, remembers }: Standing): void {
  same(placeOf(snapshot), state, 'the state');
  if (pending) same(snapshot.context.pending, pending, 'what is owed');
  if (remembers) same(partOf(snapshot.context, remembers), remembers, 'what is remembered');
}

/** As much of a value as another one names. */
function partOf(value: unknown, named: unknown): unknown {
  if (!isRecord(value) || !isRecord(named)) return value;
  const part = Object.keys(named).filter((name) => name in value);
  return Object.fromEntries(part.map((name) => [name, partOf(value[name], named[name])]));
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Compares two values; a difference is shown, under the name of what was looked at. */
function same(found: unknown, expected: unknown, what: string): void {
  try {
    deepStrictEqual(found, expected);
  } catch (error) {
    if (!(error instanceof AssertionError)) throw error;
    const { actual, operator } = error;
    throw new AssertionError({ message: `${what}: ${error.message}`, actual, expected: error.expected, operator });
  }
}

const of = (effects: readonly Effect[], kind: Effect['kind']) => effects.filter((effect) => effect.kind === kind);
const keys = (effects: readonly Effect[], kind: Effect['kind']) => of(effects, kind).map(({ key }) => key);
