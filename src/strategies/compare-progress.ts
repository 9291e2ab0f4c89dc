import { Level } from '../../machines/events.ts';
import { measure, type Measures } from './report.ts';
import type { IterationCompleteEvent, IterationSummary } from './strategy.ts';
import type { Accepted } from '../../machines/outcome.ts';
import { summaryOf } from './iteration-summary.ts';

/** The rank of the highest level that passed: 0 where none did, 1 for `L0`. */
export const rankOf = ({ highestLevel }: Pick<Measures, 'highestLevel'>): number =>
  highestLevel === null ? 0 : Level.options.indexOf(highestLevel) + 1;

/** The best iteration: by its share of passed checks, then by its level. Of equals the later one. */
export function bestOf(iterations: readonly IterationSummary[]): IterationSummary | null {
  const [first, ...others] = iterations;
  if (!first) return null;
  return others.reduce((best, one) => (isBehind(one, best) ? best : one), first);
}

/** Whether the best iteration, the newest included, is the workspace as the run found it, and passes no check. */
export function bestIsNothing(event: IterationCompleteEvent): boolean {
  const { previousIterations: before, workspaceAtStart } = event;
  const checksTotal = before.at(-1)?.checksTotal ?? 0;
  const newest = summaryOf(event, { durationMs: 0, checksTotal, metadata: null, workspaceRef: null });
  const best = bestOf([...before, newest]);
  return best?.checksPassed === 0 && best.workspaceHash !== null && best.workspaceHash === workspaceAtStart;
}

function isBehind(one: IterationSummary, other: IterationSummary): boolean {
  const compared = [
    shareOf(one) - shareOf(other),
    rankOf(one) - rankOf(other),
    Number(one.agentSuccess) - Number(other.agentSuccess),
  ];
  return (compared.find((difference) => difference !== 0) ?? 0) < 0;
}

const shareOf = ({ checksPassed, checksTotal }: Measures): number =>
  checksTotal === 0 ? 0 : checksPassed / checksTotal;

/** An iteration as the result that is accepted although some checks fail. */
export const acceptedOf = ({ iteration, workspaceHash, workspaceRef, failingChecks }: IterationSummary): Accepted => ({
  iteration,
  workspace: workspaceHash,
  ref: workspaceRef,
  failing: [...failingChecks],
});

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
