import { z } from 'zod';
import { Level } from '../../machines/events.ts';
import { DEFAULT_BASE_ITERATIONS, DEFAULT_BONUS_ITERATIONS } from '../config/defaults.ts';
import { AGENT_SIGNAL, CRITERIA, isVerified, metCriterion } from './criteria.ts';
import type { LoopDecision } from './decision.ts';
import { feedbackOn } from './feedback.ts';
import { checked, share, whole } from './numbers.ts';
import { type Progress, progressOf } from './progress.ts';
import { loopCount, recentHashes, sameContent } from './repetition.ts';
import type { IterationCompleteEvent, PureStrategy } from './strategy.ts';

const CRITERION = `one of: ${CRITERIA.join(', ')}`;
const LEVEL = `one of: ${Level.options.join(', ')}`;

export const HybridConfig = z.strictObject({
  baseIterations: whole(1).default(DEFAULT_BASE_ITERATIONS).describe('iterations that need no progress'),
  maxBonusIterations: whole(0).default(DEFAULT_BONUS_ITERATIONS).describe('further ones, while each makes progress'),
  progressThreshold: share().default(0.1).describe('how much closer an iteration must come to count as progress, 0 to 1'),
  completionCriteria: z
    .array(z.enum(CRITERIA, { error: CRITERION }), { error: `a list of criteria, each ${CRITERION}` })
    .default([...CRITERIA])
    .describe('what completes the loop, the first that is met'),
  minVerificationLevel: z
    .enum(Level.options, { error: LEVEL })
    .default('L0')
    .describe('the level that passed checks must reach for `verification_pass`'),
  acceptPartialAfter: whole(1, ', or null')
    .nullable()
    .default(null)
    .describe('after so many iterations the best result so far is taken where the loop would stop without success'),
});
export type HybridConfig = z.output<typeof HybridConfig>;

/** What a hybrid strategy may be told beside its numbers. `maxIterations` is the run's own cap. */
export type HybridOptions = Partial<Pick<HybridConfig, 'completionCriteria' | 'minVerificationLevel' | 'acceptPartialAfter'>> & {
  readonly maxIterations?: number | null;
};

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

  constructor(baseIterations: number, maxBonusIterations: number, progressThreshold?: number, options: HybridOptions = {}) {
    const { maxIterations = null, ...more } = options;
    this.#config = checked(this.name, HybridConfig, { ...more, baseIterations, maxBonusIterations, progressThreshold });
    const most = this.#config.baseIterations + this.#config.maxBonusIterations;
    this.#most = Math.min(most, maxIterations ?? most);
  }

  decide(event: IterationCompleteEvent): LoopDecision {
    const { completionCriteria, minVerificationLevel, baseIterations, progressThreshold } = this.#config;
    const circle = sameContent(event);
    const progress = progressOf(event, progressThreshold);
    const metadata = { contentHashes: recentHashes(event), loopCount: loopCount(event, circle !== null), progress: progress.gain };
    const met = metCriterion(event, completionCriteria, minVerificationLevel);
    if (met) return { continue: false, action: 'complete', reason: met.why, metadata: { ...metadata, criterion: met.criterion } };
    if (isVerified(event, minVerificationLevel)) return { continue: false, action: 'complete', reason: 'verification passed', metadata };
    const done = event.iteration + 1;
    const place = `iteration ${done}/${this.#most}`;
    if (done >= this.#most) return this.#stop(event, { continue: false, action: 'timeout', reason: `${place}: no iteration is left`, metadata });
    if (circle) return this.#stop(event, { continue: false, action: 'fail', reason: circle.message, finding: circle, metadata });
    const goOn = { continue: true, action: 'continue', feedback: this.#feedback(event) } as const;
    if (done < baseIterations) return { ...goOn, reason: `${place}: ${done} of ${baseIterations} base iterations`, metadata };
    if (!progress.isProgress) return this.#stop(event, { ...stuck(event, progress), metadata });
    const bonusUsed = done - baseIterations + 1;
    return { ...goOn, reason: `${place}: ${wordsFor(progress)}, so a bonus iteration`, metadata: { ...metadata, bonusUsed } };
  }

  async onIterationComplete(event: IterationCompleteEvent): Promise<LoopDecision> {
    return this.decide(event);
  }

  /** Whoever agreed to take less gets the best there is, in place of a stop without success. */
  #stop(event: IterationCompleteEvent, stop: LoopDecision): LoopDecision {
    const { acceptPartialAfter } = this.#config;
    const hasWorked = event.agentSuccess || event.previousIterations.some(({ agentSuccess }) => agentSuccess);
    if (acceptPartialAfter === null || event.iteration + 1 < acceptPartialAfter || !hasWorked) return stop;
    const { reason, metadata } = stop;
    return { continue: false, action: 'complete', partial: true, reason: `${reason}; the best result so far is taken`, ...(metadata ? { metadata } : {}) };
  }

  #feedback(event: IterationCompleteEvent): string {
    const canSay = this.#config.completionCriteria.includes('agent_signal') && event.agentSuccess && event.verificationReport === null;
    return canSay ? `${feedbackOn(event)} If nothing is, say ${AGENT_SIGNAL} on a line of its own.` : feedbackOn(event);
  }
}

function stuck({ iteration, previousIterations }: IterationCompleteEvent, progress: Progress): LoopDecision {
  const since = progress.since ?? previousIterations.at(-1)?.iteration ?? iteration;
  const message = `no progress since iteration ${since + 1}`;
  return {
    continue: false,
    action: 'fail',
    reason: message,
    finding: { detector: 'no-progress', message, iterations: since === iteration ? [iteration] : [since, iteration] },
  };
}

const wordsFor = ({ gain }: Progress): string => (gain === null ? 'nothing speaks against progress' : `${Math.round(gain * 100)} % closer`);
