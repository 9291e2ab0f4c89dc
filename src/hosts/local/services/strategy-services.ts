import { STRATEGY_LIMIT_MS } from '../../../judging/strategy-effects.ts';
import type { StrategyRegistry } from '../../../strategies/registry.ts';
import { localStrategies, type Strategies } from '../strategies.ts';

/** The strategies that runs of this process may name. */
export interface StrategyServices {
  readonly strategies: Strategies;
  /** How long a strategy may take to answer. */
  readonly strategyLimitMs: number;
}

export const strategyServices = (
  registry: StrategyRegistry | undefined,
  strategyLimitMs = STRATEGY_LIMIT_MS,
): StrategyServices => ({ strategies: localStrategies(registry), strategyLimitMs });
