import { z } from 'zod';
import { type LoopDecision, outOf } from './loop-decision.ts';
import { feedbackOn } from './feedback.ts';
import { checkedCap } from './numbers.ts';
import type { IterationCompleteEvent, PureStrategy } from './strategy.ts';
import { builtIn } from './strategy-kind.ts';

const DEFAULT_ITERATIONS = 3;

/**
 * A fixed number of iterations, fewer when verification passes. With null the run's own limits end the loop. Throws a
 * `RangeError` for any other number below 1.
 */
export class FixedStrategy implements PureStrategy {
  readonly name = 'fixed';
  readonly pure = true;
  readonly #iterations: number | null;

  constructor(iterations: number | null) {
    this.#iterations = checkedCap(this.name, iterations);
  }

  decide(event: IterationCompleteEvent): LoopDecision {
    if (event.verificationPassed) return { continue: false, action: 'complete', reason: 'verification passed' };
    const place = `iteration ${event.iteration + 1}${this.#iterations === null ? '' : `/${this.#iterations}`}`;
    const why = missing(event);
    if (this.#iterations !== null && event.iteration + 1 >= this.#iterations) {
      return { ...outOf(this.#iterations), reason: `${place}: ${why}, and no iteration is left` };
    }
    return { continue: true, action: 'continue', reason: `${place}: ${why}`, feedback: feedbackOn(event) };
  }

  async onIterationComplete(event: IterationCompleteEvent): Promise<LoopDecision> {
    return this.decide(event);
  }
}

function missing({ agentSuccess, verificationPassed }: IterationCompleteEvent): string {
  if (!agentSuccess) return 'the attempt failed';
  return verificationPassed === false ? 'verification failed' : 'the work is not verified';
}

export const fixed = builtIn({
  name: 'fixed',
  config: z.strictObject({}),
  create: (_config, { maxIterations }) => new FixedStrategy(maxIterations),
  defaultIterations: () => DEFAULT_ITERATIONS,
  endsOnlyByChecks: () => true,
  about: {
    purpose: 'a fixed number of iterations',
    caps: `\`maxIterations\`, ${DEFAULT_ITERATIONS} by default`,
    endsWhen: 'the checks pass',
    stopsWhen: 'never by itself',
    progress: 'not measured',
    partial: 'never',
    checks: 'run',
    bestFor: [
      'the scope of the task is predictable',
      'you know how many attempts it deserves',
      'you are debugging a loop, or trying one out',
    ],
  },
});
