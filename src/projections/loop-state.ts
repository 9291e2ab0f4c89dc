import { z } from 'zod';
import { Level } from '../../machines/events.ts';
import { Ending, Outcome, Spend } from '../../machines/outcome.ts';
import { Limits } from '../../machines/settings.ts';
import { measure, reportOf } from '../strategies/report.ts';
import type { RoundRow } from './round-table.ts';
import type { RunSummary } from './run-summary.ts';

const count = z.int().nonnegative();
const time = z.iso.datetime({ precision: 3 });

/** The status of a run, for programs that read the state file: see `loopState`. */
export const LoopState = z.strictObject({
  type: z.literal('loopfold.state'),
  run: z.string(),
  /** The newest event that it includes. */
  version: z.int().positive(),
  at: time,
  startedAt: time,
  status: z.enum(['running', 'paused', 'ended']),
  task: z.string(),
  loop: z.string(),
  strategy: z.string().nullable(),
  /** The current iteration, or the last, 0-based; null before the first, and in a loop without rows. */
  iteration: count.nullable(),
  limits: Limits,
  spend: Spend,
  /** Tree hash of the work at the last capture. */
  workspace: z.string().nullable(),
  /** The decision on the newest iteration that has one. */
  decision: z.strictObject({ action: z.enum(['continue', 'stop']), reason: z.string(), metadata: z.json() }).nullable(),
  outcome: Outcome.nullable(),
  reason: z.string().nullable(),
});
export type LoopState = z.infer<typeof LoopState>;

const RoundMetrics = z.strictObject({
  /** 0-based. */
  iteration: count,
  startedAt: time,
  durationMs: count.nullable(),
  /** How the attempt ended; null while it runs, or where it was lost. */
  attempt: Ending.nullable(),
  passed: z.boolean().nullable(),
  highestLevel: Level.nullable(),
  checksPassed: count,
  checksTotal: count,
  failingChecks: z.array(z.string()),
  ciPassed: z.boolean().nullable(),
  filesChanged: count,
  spend: Spend,
});

/** The result of each iteration in numbers: see `loopMetrics`. */
export const LoopMetrics = z.strictObject({
  type: z.literal('loopfold.metrics'),
  run: z.string(),
  version: z.int().positive(),
  at: time,
  spend: Spend,
  iterations: z.array(RoundMetrics),
});
export type LoopMetrics = z.infer<typeof LoopMetrics>;

/**
 * The content of a run's state file.
 *
 * @example
 * const state = loopState(run, summary);
 * console.log(state.status, state.iteration);
 */
export function loopState(run: string, summary: RunSummary): LoopState {
  const { settings, ending, iterations } = summary;
  const decision = iterations.findLast((row) => row.decision)?.decision ?? null;
  return {
    type: 'loopfold.state',
    run,
    version: summary.version,
    at: summary.at,
    startedAt: summary.startedAt,
    status: statusOf(summary),
    task: settings.prompt,
    loop: settings.loop,
    strategy: summary.strategy,
    iteration: iterations.at(-1)?.iteration ?? null,
    limits: summary.limits,
    spend: summary.spend,
    workspace: iterations.findLast(({ workspace }) => workspace !== null)?.workspace ?? null,
    decision: decision && { action: decision.action, reason: decision.reason, metadata: decision.metadata },
    outcome: ending?.outcome ?? null,
    reason: ending?.reason ?? null,
  };
}

/**
 * The content of a run's metrics file.
 *
 * @example
 * const slowest = Math.max(...loopMetrics(run, summary).iterations.map(({ durationMs }) => durationMs ?? 0));
 */
export const loopMetrics = (run: string, { settings, version, at, spend, iterations }: RunSummary): LoopMetrics => ({
  type: 'loopfold.metrics',
  run,
  version,
  at,
  spend,
  iterations: iterations.map((row) => metricsOf(row, settings.checks.length)),
});

const statusOf = ({ ending, paused }: RunSummary): LoopState['status'] => {
  if (ending) return 'ended';
  return paused ? 'paused' : 'running';
};

function metricsOf(row: RoundRow, checksTotal: number): LoopMetrics['iterations'][number] {
  const { iteration, startedAt, durationMs, attempt, passed, levels, ci, changed, spend } = row;
  const report = passed === null ? null : reportOf({ passed, levels: [...levels] });
  const { highestLevel, checksPassed, failingChecks } = measure(report, checksTotal);
  return {
    iteration,
    startedAt,
    durationMs,
    attempt: attempt?.ending ?? null,
    passed,
    highestLevel,
    checksPassed,
    checksTotal,
    failingChecks: [...failingChecks],
    ciPassed: ci?.passed ?? null,
    filesChanged: changed.length,
    spend,
  };
}
