import type { LevelResult } from '../../machines/events.ts';
import type { Check } from '../../machines/settings.ts';
import { withOwnFiles } from './clean-tree.ts';
import { DEFAULT_CHECK_TIMEOUT_MS } from '../options/defaults.ts';
import type { ParsedOptions } from './options.ts';

export { DEFAULT_CHECK_TIMEOUT_MS } from '../options/defaults.ts';

/** A check may take so many times as long as it took before any work. */
const TIMES_OF_BASELINE = 10;
/** Of a check that was green there, which has shown how long it takes. */
const MIN_GREEN_TIMEOUT_MS = 60_000;

/**
 * The time of each check that does not name one. Recorded checks with exactly the default go by their baseline, so a
 * given time that is the same is one millisecond longer.
 */
export function withCheckTimeout(checks: readonly Check[], givenMs: number | undefined): Check[] {
  if (givenMs === undefined) return [...checks];
  const timeoutMs = givenMs === DEFAULT_CHECK_TIMEOUT_MS ? givenMs + 1 : givenMs;
  return checks.map((check) => (goesByBaseline(check) ? { ...check, timeoutMs } : check));
}

type Asked = Pick<ParsedOptions, 'checks' | 'checkTimeout' | 'stateDirectory'>;

/** Returns the checks that were asked for, with their times, and those that our own files make needed. */
export const askedChecks = ({ checks = [], checkTimeout, stateDirectory }: Asked): Check[] =>
  withOwnFiles(withCheckTimeout(checks, checkTimeout), stateDirectory ?? null);

/** Tells that nothing was said of the time of a check. */
export const goesByBaseline = ({ timeoutMs }: Pick<Check, 'timeoutMs'>): boolean =>
  timeoutMs === DEFAULT_CHECK_TIMEOUT_MS;

/**
 * The checks with ten times the time that each took on what the run began with: at least a minute where it was green
 * there, and the default where it was not. One that has a time of its own, or was not run there, stays as it is.
 */
export function timedByBaseline(checks: readonly Check[], baseline: readonly LevelResult[] | undefined): Check[] {
  const before = new Map(baseline?.flatMap((level) => level.checks.map((check) => [check.name, check] as const)));
  return checks.map((check) => {
    const took = before.get(check.name);
    if (!took || !goesByBaseline(check)) return check;
    const leastMs = took.passed ? MIN_GREEN_TIMEOUT_MS : DEFAULT_CHECK_TIMEOUT_MS;
    return { ...check, timeoutMs: Math.max(leastMs, took.durationMs * TIMES_OF_BASELINE) };
  });
}
