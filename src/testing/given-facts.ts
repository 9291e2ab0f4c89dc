import { AssertionError, deepStrictEqual } from 'node:assert/strict';
import { z } from 'zod';
import type { AnyEvent, LoopEvent, Recorded } from '../../machines/events.ts';
import type { CatalogueEntry } from '../../machines/index.ts';
import type { Life } from '../../machines/life.ts';
import { placeOf } from '../kernel/position.ts';
import { begin, type Effect, type MachineSnapshot, refusal, step } from '../kernel/step.ts';
import { timeAt } from './proof-time.ts';
import type { Loop } from './loop.ts';

/** An event, and its time after the previous one: `afterMs`, a second by default. */
export type Dated<Event extends AnyEvent = LoopEvent> = Event & { readonly afterMs?: number };

export interface Consequence {
  /** The path of the innermost state: `tools.running`, `decide.ending.summarising`, `success`. */
  readonly state: string;
  /** Ids of the effects that start, in order. */
  readonly starts?: readonly string[];
  /** Ids of the effects that stop, in order: they have answered, or their result is no longer needed. */
  readonly stops?: readonly string[];
  /** Ids of the effects that are being cancelled, in order: told to stop, with a last result still pending. */
  readonly cancels?: readonly string[];
  /** Everything that is pending. */
  readonly pending?: Life['pending'];
  /** Part of the machine's context. */
  readonly remembers?: object;
}

type ExpectedState = Omit<Consequence, 'starts' | 'stops' | 'cancels'>;

interface FoldedHistory {
  readonly loop: CatalogueEntry;
  readonly snapshot: MachineSnapshot;
  readonly effects: readonly Effect[];
  readonly at: string;
  readonly version: number;
}

/**
 * Tests one event after a history: `given(loop, ...history).when(event).then({ state, starts })`.
 *
 * A history begins with `run.started`. Effects that `then` does not name must not have started or stopped. Throws an
 * `AssertionError` with the actual and the expected value.
 *
 * @example
 * given(loop, started, goOn, settled).when(captured).then({ state: 'verify.checking', starts: ['checks'], stops:
 * ['capture'] });
 */
export function given<Event extends AnyEvent>(loop: Loop<Event>, ...history: readonly Dated<Event>[]) {
  const [opening, ...facts] = history;
  const now = facts.reduce(accepted, born(loop, opening));
  return {
    /** Checks the state after the history. */
    is: (expected: ExpectedState): void => matches(now, expected),
    when: (event: Dated<Event>) => ({
      // oxlint-disable-next-line unicorn/no-thenable -- given, when, then: no caller awaits this object.
      then: (expected: Consequence): void => follows(accepted(now, event), expected),
      thenRefused: (because: 'unexpected' | 'ended'): void =>
        same(
          refusal(now.snapshot, dated(now, event)),
          because,
          `whether ${event.type} is refused in ${placeOf(now.snapshot)}`,
        ),
    }),
    /** Checks the effects that the last event starts. */
    starts: (expected: readonly string[]): void => same(keys(now.effects, 'start'), expected, 'what starts'),
    inputs: (expected: readonly object[]): void => same(of(now.effects, 'start'), expected, 'what starts'),
  };
}

function born(loop: CatalogueEntry, opening: Dated<AnyEvent> | undefined): FoldedHistory {
  const { success, data } = loop.events.safeParse(opening);
  if (!success || !isOpening(data)) throw new AssertionError({ message: 'a history begins with run.started' });
  const recorded = { type: data.type, payload: data.payload, at: timeAt(0), version: 1 };
  return { loop, at: recorded.at, version: 1, ...begin(loop.machine, recorded) };
}

const isOpening = (event: unknown): event is Extract<LoopEvent, { type: 'run.started' }> =>
  (event as AnyEvent).type === 'run.started';

function accepted(now: FoldedHistory, event: Dated<AnyEvent>): FoldedHistory {
  const recorded = dated(now, event);
  const because = refusal(now.snapshot, recorded);
  const { at, version } = recorded;
  if (because) {
    const message = `${event.type}, version ${version}, is refused in ${placeOf(now.snapshot)}: ${because}`;
    throw new AssertionError({ message, actual: because, expected: null, operator: 'accepted' });
  }
  return { loop: now.loop, at, version, ...step(now.loop.machine, now.snapshot, recorded) };
}

/** An event of the loop's vocabulary, with its time and version. Other events cannot happen in a proof. */
function dated(
  { loop, at, version }: FoldedHistory,
  { afterMs = 1000, ...event }: Dated<AnyEvent>,
): Recorded<LoopEvent> {
  const parsed = loop.events.safeParse(event);
  if (!parsed.success) {
    throw new AssertionError({ message: `${event.type} is no event of ${loop.id}:\n${z.prettifyError(parsed.error)}` });
  }
  return { ...(parsed.data as LoopEvent), at: new Date(Date.parse(at) + afterMs).toISOString(), version: version + 1 };
}

function follows(now: FoldedHistory, { starts = [], stops = [], cancels = [], ...expected }: Consequence): void {
  matches(now, expected);
  same(askedFor(now), { starts, stops, cancels }, 'what starts and stops');
}

function askedFor({ snapshot, effects }: FoldedHistory): Required<Pick<Consequence, 'starts' | 'stops' | 'cancels'>> {
  const { pending } = snapshot.context as Life;
  const stopped = keys(effects, 'stop');
  return {
    starts: keys(effects, 'start'),
    stops: stopped.filter((key) => pending[key] !== 'told'),
    cancels: stopped.filter((key) => pending[key] === 'told'),
  };
}

/** The state after the last event of a history, and the effects that this event starts and stops. */
export function consequenceOf(loop: CatalogueEntry, [opening, ...facts]: readonly Dated<AnyEvent>[]): Consequence {
  const now = facts.reduce(accepted, born(loop, opening));
  const asked = Object.entries(askedFor(now)).filter(([, ids]) => ids.length > 0);
  return { state: placeOf(now.snapshot), ...Object.fromEntries(asked) };
}

function matches({ snapshot }: FoldedHistory, { state, pending, remembers }: ExpectedState): void {
  same(placeOf(snapshot), state, 'the state');
  if (pending) same(snapshot.context.pending, pending, 'what is pending');
  if (remembers) same(partOf(snapshot.context, remembers), remembers, 'what is remembered');
}

/** The members of a value that another value names. */
function partOf(value: unknown, named: unknown): unknown {
  if (!isRecord(value) || !isRecord(named)) return value;
  const part = Object.keys(named).filter((name) => name in value);
  return Object.fromEntries(part.map((name) => [name, partOf(value[name], named[name])]));
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Throws an `AssertionError` with both values where they differ. */
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
