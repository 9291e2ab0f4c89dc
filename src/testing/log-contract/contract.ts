import type { Log } from '../../log/log.ts';
import type { Envelope, Json, NewEvent } from '../../log/envelope.ts';
import type { BareEnvelope } from '../../log/event-store.ts';
import type { Holder, Lease } from '../../log/lease-store.ts';
import { thisProcess } from '../../log/holder.ts';

export const AT = '2026-03-01T12:00:00.000Z';

/** An event whose content does not matter. */
export const fact = (payload: Json = { text: 'ok' }, more: Partial<NewEvent> = {}): NewEvent => ({
  type: 'note.taken',
  schema: 1,
  payload,
  at: AT,
  causation: null,
  mark: null,
  ...more,
});

/** The decision that ends a run, as its last event. */
export const decided = (ending: string, more: Partial<NewEvent> = {}): NewEvent =>
  fact({ action: 'stop', sink: { ending }, reason: 'done', evidence: [] }, { type: 'decision.made', ...more });

/** A holder on another host: only its lease's age says whether it lives. */
export const elsewhere = (token: string): Holder => ({ host: 'far.away', pid: 1, processStart: 'then', token });

export async function take(log: Log, root: string, holder: Holder = thisProcess()): Promise<Lease> {
  const result = await log.acquire(root, holder);
  if (result.kind !== 'leased') throw new Error(`${root} is held by ${result.by.pid}`);
  return result.lease;
}

/** Takes a run's lease and gives it a history of as many events. */
export async function history(log: Log, run: string, length: number): Promise<Lease> {
  const lease = await take(log, run);
  const events = Array.from({ length }, (_, index) => fact({ index }));
  await appended(log.append({ run, events, expectedVersion: 0, epoch: lease.epoch }));
  return lease;
}

export async function appended(result: ReturnType<Log['append']>): Promise<readonly Envelope[]> {
  const outcome = await result;
  if (outcome.kind !== 'appended') throw new Error(`refused: ${JSON.stringify(outcome)}`);
  return outcome.envelopes;
}

export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

/** 1, 2, 3, … */
export const upTo = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1);

/** Reads a run while it is verified: the pages, and the result. */
export async function verifiedPages(log: Pick<Log, 'readVerified'>, run: string) {
  const pages: (readonly BareEnvelope[])[] = [];
  const reading = log.readVerified(run);
  for (;;) {
    const { done, value } = await reading.next();
    if (done) return { pages, verified: value };
    pages.push(value);
  }
}

/** The time of a store, which moves when it is told to. */
export interface StoreClock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly advance: (milliseconds: number) => void;
}

/** The comparisons that the contract is written with. */
export interface Comparison<Outcome> {
  readonly toBe: (expected: unknown) => Outcome;
  readonly toBeGreaterThan: (least: number) => Outcome;
  readonly toBeNull: () => Outcome;
  readonly toEqual: (expected: unknown) => Outcome;
  readonly toHaveLength: (length: number) => Outcome;
  readonly toHaveProperty: (name: string) => Outcome;
  readonly toMatchObject: (expected: object) => Outcome;
  readonly toThrow: (expected: string | typeof TypeError) => Outcome;
}

/** The parts of a test runner that the contract is written with, as those of vitest. */
export interface TestRunner {
  readonly describe: (name: string, body: () => void) => unknown;
  readonly expect: (
    found: unknown,
  ) => Comparison<void> & { readonly not: Comparison<void>; readonly rejects: Comparison<Promise<void>> };
  readonly onTestFinished: (body: () => Promise<void>) => unknown;
  readonly test: (name: string, body: () => Promise<void>) => unknown;
}

/** The runner, and a log of the engine under test. */
export interface Contract extends TestRunner {
  /** Makes an empty log, closed with the test. Its time is noon, or that of the clock. */
  readonly fresh: (clock?: StoreClock) => Promise<Log>;
}

/** A clock that stands still until it is advanced. */
export function storeClock(start: string = AT): StoreClock {
  let now = Date.parse(start);
  return {
    now: () => now,
    advance: (milliseconds) => {
      now += milliseconds;
    },
  };
}
