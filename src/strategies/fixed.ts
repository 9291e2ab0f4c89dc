import { type LoopDecision, outOf } from './decision.ts';
import { feedbackOn } from './feedback.ts';
import { checkedCap } from './numbers.ts';
import type { IterationCompleteEvent, PureStrategy } from './strategy.ts';

/**
 * A fixed number of iterations, fewer when verification passes. Null leaves the end to the run's own limits. Throws a
 * `RangeError` where the number is none.
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
  return verificationPassed === false ? 'verification failed' : 'nothing verified the work';
}
