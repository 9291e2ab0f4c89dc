import type { LoopDecision } from '../strategies/loop-decision.ts';

/** What a strategy decides about the round that is over, with the strategy's name. */
export interface Advice {
  readonly strategy: string;
  readonly decision: LoopDecision;
}
