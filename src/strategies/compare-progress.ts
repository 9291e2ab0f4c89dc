import { Level } from '../../machines/events.ts';
import { bestOf, rankOf } from './best.ts';
import { measure, type Measures } from './report.ts';
import type { IterationCompleteEvent, IterationSummary } from './strategy.ts';

/** Whether an iteration came closer than any before it. */
export interface Progress {
  readonly isProgress: boolean;
  /** 0 to 1, negative where it fell back; null where it was not measured. */
  readonly gain: number | null;
  /** The iteration that it was compared with, 0-based. */
  readonly since: number | null;
}

/**
 * Compares an iteration with the best one before it.
 *
 * The first iteration counts as progress, and so does the first one that is verified at all. Where neither this
 * iteration nor the one before was verified, it counts as progress unless its agent newly fails.
 */
export function progressOf(event: IterationCompleteEvent, threshold: number): Progress {
  const { previousIterations, agentSuccess, verificationReport } = event;
  const before = previousIterations.at(-1);
  if (!before) return unmeasured(true);
  if (!agentSuccess && before.agentSuccess) return unmeasured(false);
  if (!verificationReport) return unmeasured(!isMeasured(before));
  const best = bestOf(previousIterations.filter(isMeasured));
  if (!best) return unmeasured(true);
  const gain = gainOf(best, measure(verificationReport, best.checksTotal));
  return { isProgress: gain > 0 && gain >= threshold, gain, since: best.iteration };
}

/**
 * How much closer `after` is to success: the largest of the gains in levels, passed checks, mended checks and mended
 * tests. Checks that were not reached are unknown, so what fails is compared only between iterations that reached the
 * same level.
 */
export function gainOf(before: Measures, after: Measures): number {
  const level = (rankOf(after) - rankOf(before)) / Level.options.length;
  if (level < 0) return level;
  const share = (after.checksPassed - before.checksPassed) / Math.max(1, after.checksTotal);
  return level > 0 ? Math.max(level, share) : Math.max(share, mended(before, after), ...mendedTests(before, after));
}

function mended(before: Measures, after: Measures): number {
  const failed = before.failingChecks;
  const fails = after.failingChecks;
  const mends = failed.filter((check) => !fails.includes(check)).length;
  const breaks = fails.filter((check) => !failed.includes(check)).length;
  return (mends - breaks) / Math.max(1, failed.length);
}

/** Failed tests are compared only where the same checks fail: a newly failing check may bring any number of them. */
function mendedTests(before: Measures, after: Measures): number[] {
  const failed = new Set([...before.failingChecks, ...after.failingChecks]);
  const areTheSame = failed.size === before.failingChecks.length && failed.size === after.failingChecks.length;
  if (!areTheSame || before.testsFailed + after.testsFailed === 0) return [];
  return [(before.testsFailed - after.testsFailed) / Math.max(1, before.testsFailed)];
}

const isMeasured = ({ verificationPassed, checksTotal }: IterationSummary): boolean =>
  verificationPassed !== null && checksTotal !== undefined;

const unmeasured = (isProgress: boolean): Progress => ({ isProgress, gain: null, since: null });
