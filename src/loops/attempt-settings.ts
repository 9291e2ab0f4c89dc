import type { RunSettings, Check } from '../../machines/settings.ts';
import { limitsWithin } from '../config/caps.ts';
import { CHILD_GRACE_HEAD_START_MS } from '../options/defaults.ts';
import type { ChildOf } from '../kernel/effect-spec.ts';
import { checksText } from './checks-text.ts';
import { remadeForAttempt } from './remade-notice.ts';

/**
 * The settings of one attempt: a turn with the task, the feedback on the last attempt, and its share of the budget.
 */
export function attemptSettings(of: ChildOf): RunSettings {
  const { settings, run, effect, iteration, limits, share, attemptLimits } = of;
  // Only the run at the top of a tree reports, and has an account of its thread.
  const {
    options: _ofItsLoop,
    webhooks: _ofTheRoot,
    thread: _itsAccount,
    proof: _ofItsChecks,
    images,
    ...shared
  } = settings;
  return {
    ...shared,
    loop: 'turn',
    prompt: attemptPrompt(of),
    // The run at the top of the tree keeps their content.
    ...(images ? { images: images.map(({ data: _kept, ...image }) => image) } : {}),
    limits: limitsWithin(attemptLimits, { ...limits, maxTokens: share.tokens, maxCostNanoUsd: share.nanoUsd }),
    attemptLimits: null,
    // The loop writes one summary of all attempts at its end.
    summaryTokens: 0,
    checks: [],
    strategy: null,
    graceMs: Math.max(0, settings.graceMs - CHILD_GRACE_HEAD_START_MS),
    parent: { run, effect, iteration },
  };
}

/** What people have added to the task, oldest first. */
export const steeringText = (steering: readonly string[]): string =>
  steering.map((text) => `\n\nSince then the person whose task this is has said:\n${text}`).join('');

function attemptPrompt({ settings, iteration, limits, feedback, steering, remade }: ChildOf): string {
  const words = steeringText(steering);
  const checks = checksText(settings);
  const task = `${settings.prompt}${words}${checks === null ? '' : `\n\n${checks}`}`;
  const said = feedback === null ? '' : `\n\n${feedback}`;
  if (iteration === 0) return `${task}${said}`;
  const place = limits.maxIterations === null ? `${iteration + 1}` : `${iteration + 1} of ${limits.maxIterations}`;
  const files = remade ? remadeForAttempt(remade) : 'The files are as the attempt before left them.';
  const about = `This is attempt ${place}. ${files}`;
  return `${task}\n\n${about}${said}`;
}

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
