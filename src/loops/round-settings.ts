import type { Check, RunSettings } from '../../machines/settings.ts';
import type { ChildOf } from '../runtime/child.ts';
import { attemptSettings } from './attempt-settings.ts';

/** What a loop says of the runs that do its rounds, where these are loops of attempts themselves. */
export interface Round {
  /** The name of a loop that the host knows. */
  readonly loop: string;
  /** How many attempts it may have. Null: as many as the budget allows. */
  readonly maxIterations: number | null;
  /** Those of the run itself, if not said. */
  readonly checks?: readonly Check[];
  /** Of a loop that asks one. */
  readonly strategy?: RunSettings['strategy'];
  /** What only that loop asks for. */
  readonly options?: RunSettings['options'];
}

/**
 * The run that one round of a loop is, where another loop does it: the task, what was wrong with the last round, and all that
 * is left of the budget. Its own attempts have the limits that attempts were given.
 *
 * @example
 * effects: { runAgent: { ...attempt, opens: (of) => roundSettings(of, { loop: 'iteration', maxIterations: 3 }) } },
 */
export function roundSettings(of: ChildOf, { loop, maxIterations, checks = of.settings.checks, strategy = null, options }: Round): RunSettings {
  const { settings, attemptLimits, share } = of;
  const attempt = attemptSettings(of);
  return {
    ...attempt,
    loop,
    // It is stopped with the run that has opened it: time is no limit of its own.
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
    strategy,
    ...(options === undefined ? {} : { options }),
    // However deep it lies, there is time for last words.
    graceMs: Math.max(attempt.graceMs, Math.floor(settings.graceMs / 2)),
  };
}
