import { z } from 'zod';
import { Level } from '../../machines/events.ts';
import { DEFAULT_BASE_ITERATIONS, DEFAULT_BONUS_ITERATIONS } from '../config/defaults.ts';
import { AGENT_SIGNAL, CRITERIA, isVerified, metCriterion } from './criteria.ts';
import { type LoopDecision, outOf, type StrategyFinding } from './decision.ts';
import { askingFor } from './feedback.ts';
import { checked, share, whole } from './numbers.ts';
import { type Progress, progressOf } from './progress.ts';
import { loopCount, recentHashes, sameContent } from './repetition.ts';
import type { IterationCompleteEvent, PureStrategy } from './strategy.ts';

const CRITERION = `one of: ${CRITERIA.join(', ')}`;
const LEVEL = `one of: ${Level.options.join(', ')}`;

export const HybridConfig = z.strictObject({
  baseIterations: whole(1, 'iterations').default(DEFAULT_BASE_ITERATIONS).describe('iterations that need no progress'),
  maxBonusIterations: whole(0, 'iterations')
    .default(DEFAULT_BONUS_ITERATIONS)
    .describe('further ones, while each makes progress'),
  progressThreshold: share()
    .default(0.1)
    .describe('how much closer an iteration must come to count as progress, 0 to 1'),
  completionCriteria: z
    .array(z.enum(CRITERIA, { error: CRITERION }), { error: `a list of criteria, each ${CRITERION}` })
    .default([...CRITERIA])
    .describe('what completes the loop, the first that is met'),
  minVerificationLevel: z
    .enum(Level.options, { error: LEVEL })
    .default('L0')
    .describe('the level that passed checks must reach for `verification_pass`'),
  acceptPartialAfter: whole(1, 'iterations', ', or null')
    .nullable()
    .default(null)
    .describe('after so many iterations the best result so far is taken where the loop would stop without success'),
});
export type HybridConfig = z.output<typeof HybridConfig>;

/** What a hybrid strategy may be told beside its numbers. `maxIterations` is the run's own cap. */
export interface HybridOptions
  extends Partial<Pick<HybridConfig, 'completionCriteria' | 'minVerificationLevel' | 'acceptPartialAfter'>> {
  readonly maxIterations?: number | null;
}

/**
 * Base iterations, and bonus ones while there is progress; ends where a criterion is met or the loop goes in circles.
 * Throws a `RangeError` that names a number it cannot take.
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
    const reason = `${place}: ${wordsFor(progress)}, so a bonus iteration`;
    return { ...goOn, reason, metadata: { bonusUsed: done - baseIterations + 1 } };
  }

  /** Whoever agreed to take less gets the best there is, in place of a stop without success. */
  #stop({ iteration, agentSuccess, previousIterations }: IterationCompleteEvent, stop: LoopDecision): LoopDecision {
    const { acceptPartialAfter } = this.#config;
    const hasWorked = agentSuccess || previousIterations.some((before) => before.agentSuccess);
    if (acceptPartialAfter === null || iteration + 1 < acceptPartialAfter || !hasWorked) return stop;
    return { ...COMPLETE, partial: true, reason: `${stop.reason}; the best result so far is taken` };
  }

  #feedback(event: IterationCompleteEvent): string {
    const isHeard = this.#config.completionCriteria.includes('agent_signal');
    return askingFor(isHeard ? AGENT_SIGNAL : undefined, event);
  }
}

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

const wordsFor = ({ gain }: Progress): string =>
  gain === null ? 'nothing speaks against progress' : `${Math.round(gain * 100)} % closer`;
