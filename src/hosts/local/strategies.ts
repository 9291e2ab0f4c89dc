import type { Strategies, StrategyOf } from '../../ports/strategies-of-runs.ts';
import { CustomStrategy } from '../../actors/strategy/custom-strategy.ts';
import { faultSentence } from '../../options/config-fault.ts';
import { builtInStrategies, type StrategyRegistry } from '../../strategies/registry.ts';

export function localStrategies(registry: StrategyRegistry = builtInStrategies()): Strategies {
  const created = ({ configured, limits: { maxIterations }, directory }: StrategyOf) =>
    registry.create(configured, { maxIterations, custom: (config) => new CustomStrategy(config, directory) });
  return {
    warnings: ({ strategy, limits, checks }) => (strategy ? registry.warnings(strategy, { limits, checks }) : []),
    of: (of) => {
      const made = created(of);
      if (made.kind === 'refused') throw new Error(made.faults.map(faultSentence).join('; '));
      return made.strategy;
    },
    faults: (of) => {
      const made = created(of);
      return made.kind === 'refused' ? made.faults : [];
    },
    loadFaults: async (of) => {
      const made = created(of);
      if (made.kind === 'refused') return made.faults;
      if (!(made.strategy instanceof CustomStrategy)) return [];
      const fault = await made.strategy.load();
      await made.strategy.end();
      return fault ? [fault] : [];
    },
    release: async (strategy) => {
      if (strategy instanceof CustomStrategy) await strategy.end();
    },
  };
}
