import { z } from 'zod';
import { type LoopDecision, outOf, type StrategyFinding } from './loop-decision.ts';
import { askingFor } from './feedback.ts';
import { checked, checkedCap, share, whole, wholeWithin } from './numbers.ts';
import { converged, lookBack, loopCount, sameOutput, similarityOf } from './repetition.ts';
import { COMPLETION_SIGNALS, completionSignal } from './completion-signals.ts';
import type { IterationCompleteEvent, PureStrategy } from './strategy.ts';
import { builtIn, memberOf, type WarnedRun } from './strategy-kind.ts';

const SIGNALS = 'a list of texts that an agent says when it is done';
const BOOLEAN = 'true or false';
const MAX_WINDOW = 100;
const DEFAULT_ITERATIONS = 10;

export const RalphConfig = z.strictObject({
  minIterations: whole(1, 'iterations')
    .default(2)
    .describe('before this many iterations no signal and no repetition ends the loop'),
  completionSignals: z
    .array(z.string({ error: SIGNALS }).regex(/\S/, { error: SIGNALS }), { error: SIGNALS })
    .default([...COMPLETION_SIGNALS])
    .describe('with which text the agent calls its task complete'),
  convergenceThreshold: share(', or null')
    .nullable()
    .default(0.95)
    .describe('how similar answers must be to count as converged, where the same checks fail, 0 to 1; null: never'),
  windowSize: wholeWithin(2, MAX_WINDOW, 'iterations')
    .default(3)
    .describe('over how many iterations convergence is measured'),
  loopDetection: z.boolean({ error: BOOLEAN }).default(true).describe('whether three equal answers end the loop'),
  similarityThreshold: share().default(0.98).describe('how similar those three answers must be, 0 to 1'),
  skipVerification: z
    .boolean({ error: BOOLEAN })
    .default(false)
    .describe('the checks are not run, so a success is never verified'),
});
export type RalphConfig = z.output<typeof RalphConfig>;

export type RalphOptions = Partial<Omit<RalphConfig, 'minIterations' | 'convergenceThreshold' | 'windowSize'>>;

/**
 * Continues until the agent says that it is done, its checks pass, or it goes in circles. `minIterations` above
 * `maxIterations` counts as `maxIterations`; null leaves that cap to the run. Throws a `RangeError` that names the
 * invalid option. With `convergenceThreshold` null it never ends for convergence.
 *
 * @example
 * const strategy = new RalphStrategy(2, 10, 0.95, 3, { completionSignals: ['SHIPPED'] });
 */
export class RalphStrategy implements PureStrategy {
  readonly name = 'ralph';
  readonly pure = true;
  readonly skipsVerification: boolean;
  readonly #config: RalphConfig;
  readonly #most: number | null;

  constructor(
    minIterations: number,
    maxIterations: number | null,
    convergenceThreshold?: number | null,
    windowSize?: number,
    options: RalphOptions = {},
  ) {
    this.#most = checkedCap(this.name, maxIterations);
    const config = checked(this.name, RalphConfig, { ...options, minIterations, convergenceThreshold, windowSize });
    this.#config = { ...config, minIterations: Math.min(config.minIterations, this.#most ?? config.minIterations) };
    this.skipsVerification = config.skipVerification;
  }

  decide(event: IterationCompleteEvent): LoopDecision {
    if (event.verificationPassed) return { continue: false, action: 'complete', reason: 'verification passed' };
    const { loopDetection, similarityThreshold, windowSize, convergenceThreshold } = this.#config;
    const signal = this.#signalIn(event);
    const repetition = loopDetection ? sameOutput(event, similarityThreshold) : null;
    const convergence = convergenceThreshold === null ? null : converged(event, windowSize, convergenceThreshold);
    const seen = { signal, similarity: similarityToLast(event), converged: convergence !== null };
    const metadata = { ...seen, loopCount: loopCount(event, repetition !== null) };
    return { ...this.#judged(event, signal, convergence ?? repetition), metadata };
  }

  async onIterationComplete(event: IterationCompleteEvent): Promise<LoopDecision> {
    return this.decide(event);
  }

  #judged(event: IterationCompleteEvent, signal: string | null, circle: StrategyFinding | null): LoopDecision {
    const { minIterations, completionSignals } = this.#config;
    const done = event.iteration + 1;
    const place = this.#most === null ? `iteration ${done}` : `iteration ${done}/${this.#most}`;
    const feedback = askingFor(completionSignals[0], event);
    const goOn = (why: string) =>
      ({ continue: true, action: 'continue', reason: `${place}: ${why}`, feedback }) as const;
    if (done < minIterations) return goOn(`at least ${minIterations} iterations are required`);
    if (signal !== null && event.verificationPassed !== false) {
      return { continue: false, action: 'complete', reason: `the agent said ${signal}` };
    }
    if (this.#most !== null && done >= this.#most) {
      return { ...outOf(this.#most), reason: `${place}: no iteration is left` };
    }
    if (circle) return { continue: false, action: 'fail', reason: titled(circle), finding: circle };
    return goOn(signal === null ? 'not finished yet' : `the agent said ${signal}, but checks fail`);
  }

  /** A failed attempt cannot claim that it is done. */
  #signalIn({ agentSuccess, agentOutput }: IterationCompleteEvent): string | null {
    return agentSuccess ? completionSignal(agentOutput ?? '', this.#config.completionSignals) : null;
  }
}

const titled = ({ detector, message }: StrategyFinding): string =>
  `${detector === 'convergence' ? 'Convergence' : 'Repetition'}: ${message}`;

/** How similar the last two answers are; null after the first. */
function similarityToLast(event: IterationCompleteEvent): number | null {
  const lastTwo = lookBack(event, 2);
  return lastTwo && similarityOf(lastTwo);
}

function signal(config: unknown): string | null {
  const signals = memberOf(config, 'completionSignals') ?? COMPLETION_SIGNALS;
  const [first = null] = Array.isArray(signals) ? signals : [];
  return typeof first === 'string' ? first : null;
}

function warnings({ minIterations, skipVerification }: RalphConfig, { limits, checks }: WarnedRun): string[] {
  const { maxIterations } = limits;
  const found: string[] = [];
  if (maxIterations !== null && minIterations > maxIterations) {
    const more = `minIterations (${minIterations}) is more than maxIterations (${maxIterations})`;
    found.push(`${more}: ${maxIterations} is used.`);
  }
  if (skipVerification && checks.length > 0) {
    found.push('skipVerification: the checks are not run, so a success is not verified.');
  }
  return found;
}

export const ralph = builtIn({
  name: 'ralph',
  config: RalphConfig,
  create: ({ minIterations, convergenceThreshold, windowSize, ...more }, { maxIterations }) =>
    new RalphStrategy(minIterations, maxIterations, convergenceThreshold, windowSize, more),
  defaultIterations: () => DEFAULT_ITERATIONS,
  signal,
  warnings,
  about: {
    purpose: 'iterations until the agent says that it is done',
    caps: `\`maxIterations\`, ${DEFAULT_ITERATIONS} by default`,
    endsWhen: 'the checks pass, or the agent gives a completion signal and no check fails, not before `minIterations`',
    stopsWhen:
      'three answers are the same, or the last `windowSize` iterations fail alike with nearly the same answers',
    progress: 'as convergence: equal failures and similar answers',
    partial: 'never',
    checks: 'run, unless `skipVerification`',
    bestFor: [
      'the task is long, and the agent works on its own',
      'the agent can tell when it is done',
      'you want as much autonomy as possible',
    ],
  },
});
