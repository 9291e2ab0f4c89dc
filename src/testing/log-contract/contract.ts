import type { Log } from '../../log/log.ts';
import { AT } from './log-facts.ts';

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
