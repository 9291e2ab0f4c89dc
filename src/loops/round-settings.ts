import type { Check, RunSettings } from '../../machines/settings.ts';
import type { ChildOf } from '../kernel/child-run.ts';
import { attemptSettings } from './attempt-settings.ts';

/** The settings of the run of one round, where each round is a run of another loop. */
export interface Round {
  /** The name of a loop that the host knows. */
  readonly loop: string;
  /** The most attempts of that run. Null: as many as the budget allows. */
  readonly maxIterations: number | null;
  /** Default: the checks of the outer run. */
  readonly checks?: readonly Check[];
  /** Only for a loop that has strategies. */
  readonly strategy?: RunSettings['strategy'];
  /** The options of that loop. */
  readonly options?: RunSettings['options'];
}

/**
 * The settings of a round that another loop performs: the task, the feedback on the last round, and the whole remaining
 * budget. Its attempts have the attempt limits of the outer run.
 *
 * @example
 * effects: { runAgent: { ...attempt, opens: (of) => roundSettings(of, { loop: 'iteration', maxIterations: 3 }) } },
 */
export function roundSettings(
  of: ChildOf,
  { loop, maxIterations, checks = of.settings.checks, strategy = null, options }: Round,
): RunSettings {
  const { settings, attemptLimits, share } = of;
  const attempt = attemptSettings(of);
  return {
    ...attempt,
    loop,
    // It is stopped with the run that opened it, so it needs no time limit of its own.
    limits: {
      maxSteps: null,
      maxToolCalls: null,
      maxTokens: share.tokens,
      maxCostNanoUsd: share.nanoUsd,
      maxTimeMs: null,
      maxIterations,
    },
    attemptLimits,
    checks: [...checks],
    ...(settings.proof ? { proof: settings.proof } : {}),
    strategy,
    ...(options === undefined ? {} : { options }),
    // At any depth, its grace leaves time for the final events.
    graceMs: Math.max(attempt.graceMs, Math.floor(settings.graceMs / 2)),
  };
}
