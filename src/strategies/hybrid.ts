import { z } from 'zod';
import { Level } from '../../machines/events.ts';
import { bestIsNothing, type Progress, progressOf } from './compare-progress.ts';
import { AGENT_SIGNAL, CRITERIA, isVerified, metCriterion } from './criteria.ts';
import { type LoopDecision, outOf, type StrategyFinding } from './loop-decision.ts';
import { askingFor } from './feedback.ts';
import { checked, share, whole } from './numbers.ts';
import { loopCount, recentHashes, sameContent } from './repetition.ts';
import type { IterationCompleteEvent, PureStrategy } from './strategy.ts';
import { builtIn, memberOf, type WarnedRun } from './strategy-kind.ts';

const DEFAULT_BASE_ITERATIONS = 3;
const DEFAULT_BONUS_ITERATIONS = 2;

const CRITERION = `one of: ${CRITERIA.join(', ')}`;
const LEVEL = `one of: ${Level.options.join(', ')}`;

export const HybridConfig = z.strictObject({
  baseIterations: whole(1, 'iterations')
    .default(DEFAULT_BASE_ITERATIONS)
    .describe('iterations without a need for progress'),
  maxBonusIterations: whole(0, 'iterations')
    .default(DEFAULT_BONUS_ITERATIONS)
    .describe('further iterations, while each makes progress'),
  progressThreshold: share()
    .default(0.1)
    .describe('how much closer an iteration must come to count as progress, 0 to 1'),
  completionCriteria: z
    .array(z.enum(CRITERIA, { error: CRITERION }), { error: `a list of criteria, each ${CRITERION}` })
    .default([...CRITERIA])
    .describe('what completes the loop; the first that is met counts'),
  minVerificationLevel: z
    .enum(Level.options, { error: LEVEL })
    .default('L0')
    .describe('the level that passed checks must reach for `verification_pass`'),
  acceptPartialAfter: whole(1, 'iterations', ', or null')
    .nullable()
    .default(null)
    .describe('after this many iterations, the best result so far is accepted instead of a stop without success'),
});
export type HybridConfig = z.output<typeof HybridConfig>;

/** The options of a hybrid strategy besides its numbers. `maxIterations` is the run's own cap. */
export interface HybridOptions extends Partial<
  Pick<HybridConfig, 'completionCriteria' | 'minVerificationLevel' | 'acceptPartialAfter'>
> {
  readonly maxIterations?: number | null;
}

/**
 * Base iterations, and bonus ones while there is progress. Ends when a criterion is met or the loop goes in circles.
 * Throws a `RangeError` that names the invalid option.
 *
 * @example
 * const strategy = new HybridStrategy(3, 2, 0.1, { acceptPartialAfter: 4 });
 */
export class HybridStrategy implements PureStrategy {
  readonly name = 'hybrid';
  readonly pure = true;
  readonly #config: HybridConfig;
  readonly #most: number;

  constructor(base: number, maxBonus: number, progressThreshold?: number, options: HybridOptions = {}) {
    const { maxIterations = null, ...more } = options;
    const numbers = { baseIterations: base, maxBonusIterations: maxBonus, progressThreshold };
    this.#config = checked(this.name, HybridConfig, { ...more, ...numbers });
    const most = this.#config.baseIterations + this.#config.maxBonusIterations;
    this.#most = Math.min(most, maxIterations ?? most);
  }

  decide(event: IterationCompleteEvent): LoopDecision {
    const circle = sameContent(event);
    const progress = progressOf(event, this.#config.progressThreshold);
    const decision = this.#judged(event, circle, progress);
    const seen = { contentHashes: recentHashes(event), loopCount: loopCount(event, circle !== null) };
    return { ...decision, metadata: { ...seen, progress: progress.gain, ...decision.metadata } };
  }

  async onIterationComplete(event: IterationCompleteEvent): Promise<LoopDecision> {
    return this.decide(event);
  }

  #judged(event: IterationCompleteEvent, circle: StrategyFinding | null, progress: Progress): LoopDecision {
    const { completionCriteria, minVerificationLevel, baseIterations } = this.#config;
    const met = metCriterion(event, completionCriteria, minVerificationLevel);
    if (met) return { ...COMPLETE, reason: met.why, metadata: { criterion: met.criterion } };
    if (isVerified(event, minVerificationLevel)) return { ...COMPLETE, reason: 'verification passed' };
    const done = event.iteration + 1;
    const place = `iteration ${done}/${this.#most}`;
    if (done >= this.#most) {
      return this.#stop(event, { ...outOf(this.#most), reason: `${place}: no iteration is left` });
    }
    if (circle) return this.#stop(event, failedBy(circle));
    const goOn = { continue: true, action: 'continue', feedback: this.#feedback(event) } as const;
    if (done < baseIterations) return { ...goOn, reason: `${place}: ${done} of ${baseIterations} base iterations` };
    if (!progress.isProgress) return this.#stop(event, failedBy(noProgress(event, progress)));
    const reason = `${place}: ${progressText(progress)}, so a bonus iteration`;
    return { ...goOn, reason, metadata: { bonusUsed: done - baseIterations + 1 } };
  }

  /** With `acceptPartialAfter`, the best result so far is accepted instead of a stop without success. */
  #stop(event: IterationCompleteEvent, stop: LoopDecision): LoopDecision {
    const { iteration, agentSuccess, previousIterations } = event;
    const { acceptPartialAfter } = this.#config;
    const hasWorked = agentSuccess || previousIterations.some((before) => before.agentSuccess);
    if (acceptPartialAfter === null || iteration + 1 < acceptPartialAfter || !hasWorked) return stop;
    if (bestIsNothing(event)) return { ...stop, reason: `${stop.reason}; ${NOTHING_TO_ACCEPT}` };
    return { ...COMPLETE, partial: true, reason: `${stop.reason}; the best result so far is accepted` };
  }

  #feedback(event: IterationCompleteEvent): string {
    const asksForSignal = this.#config.completionCriteria.includes('agent_signal');
    return askingFor(asksForSignal ? AGENT_SIGNAL : undefined, event);
  }
}

const NOTHING_TO_ACCEPT = 'no partial result is accepted: no check passed, and no file has changed';

const COMPLETE = { continue: false, action: 'complete' } as const;

const failedBy = (finding: StrategyFinding): LoopDecision => ({
  continue: false,
  action: 'fail',
  reason: finding.message,
  finding,
});

function noProgress({ iteration, previousIterations }: IterationCompleteEvent, progress: Progress): StrategyFinding {
  const since = progress.since ?? previousIterations.at(-1)?.iteration ?? iteration;
  const iterations = since === iteration ? [iteration] : [since, iteration];
  return { detector: 'no-progress', message: `no progress since iteration ${since + 1}`, iterations };
}

const progressText = ({ gain }: Progress): string =>
  gain === null ? 'progress was not measured' : `${Math.round(gain * 100)} % closer`;

/** Base and bonus iterations together, at least 1. */
function defaultIterations(config: unknown): number {
  const number = (member: string, otherwise: number) => {
    const value = memberOf(config, member);
    return Number.isSafeInteger(value) ? Number(value) : otherwise;
  };
  return Math.max(
    1,
    number('baseIterations', DEFAULT_BASE_ITERATIONS) + number('maxBonusIterations', DEFAULT_BONUS_ITERATIONS),
  );
}

function signal(config: unknown): string | null {
  const criteria = memberOf(config, 'completionCriteria');
  return Array.isArray(criteria) && !criteria.includes('agent_signal') ? null : AGENT_SIGNAL;
}

function endsOnlyByChecks(config: unknown, ci: unknown): boolean {
  const criteria = memberOf(config, 'completionCriteria');
  if (!Array.isArray(criteria)) return false;
  return criteria.every((criterion) => criterion === 'verification_pass' || (criterion === 'ci_pass' && !ci));
}

function warnings(config: HybridConfig, { limits, checks }: WarnedRun): string[] {
  const { baseIterations, maxBonusIterations, acceptPartialAfter, minVerificationLevel } = config;
  const own = baseIterations + maxBonusIterations;
  const most = Math.min(own, limits.maxIterations ?? own);
  const found: string[] = [];
  if (most < baseIterations) {
    found.push(`baseIterations (${baseIterations}) is more than maxIterations (${most}): the loop ends at ${most}.`);
  }
  if (limits.maxIterations !== null && limits.maxIterations > own) {
    const has = `${baseIterations} and ${maxBonusIterations}`;
    const more = `maxIterations (${limits.maxIterations}) is more than the strategy has: ${has}`;
    found.push(`${more}. The loop ends at ${own}; raise maxBonusIterations for more.`);
  }
  if (acceptPartialAfter !== null && acceptPartialAfter > most) {
    const more = `acceptPartialAfter (${acceptPartialAfter}) is more than the iterations there are (${most})`;
    found.push(`${more}: no partial result is accepted.`);
  }
  const isReached = checks.some(
    ({ level }) => Level.options.indexOf(level) >= Level.options.indexOf(minVerificationLevel),
  );
  if (checks.length > 0 && !isReached) {
    const high = `minVerificationLevel is ${minVerificationLevel}, but no check has that level`;
    found.push(`${high}: passed checks end the loop anyway.`);
  }
  return found;
}

export const hybrid = builtIn({
  name: 'hybrid',
  config: HybridConfig,
  create: ({ baseIterations, maxBonusIterations, progressThreshold, ...more }, { maxIterations }) =>
    new HybridStrategy(baseIterations, maxBonusIterations, progressThreshold, { ...more, maxIterations }),
  hasOwnCap: true,
  defaultIterations,
  endsOnlyByChecks,
  signal,
  warnings,
  about: {
    purpose: 'some iterations, and more while they make progress',
    caps: '`baseIterations` and `maxBonusIterations`, within `maxIterations`',
    endsWhen: 'the checks pass, or one of `completionCriteria` is met and no check fails',
    stopsWhen: 'three iterations leave the same files and results, or a bonus iteration makes no progress',
    progress: 'checks, levels and tests that pass, compared with the best iteration before',
    partial: 'with `acceptPartialAfter`',
    checks: 'run',
    bestFor: [
      'no other strategy fits better',
      'the loop should notice by itself that the task is done',
      'iterations are too expensive to waste',
    ],
  },
});
