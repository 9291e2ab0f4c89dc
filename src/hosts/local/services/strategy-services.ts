import { STRATEGY_LIMIT_MS } from '../../../judging/strategy-effects.ts';
import type { StrategyRegistry } from '../../../strategies/registry.ts';
import { localStrategies } from '../strategies.ts';
import type { StrategyServices } from '../../../ports/services.ts';

export const strategyServices = (
  registry: StrategyRegistry | undefined,
  strategyLimitMs = STRATEGY_LIMIT_MS,
): StrategyServices => ({ strategies: localStrategies(registry), strategyLimitMs });
