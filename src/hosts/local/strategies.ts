import type { Limits, RunSettings } from '../../../machines/settings.ts';
import { CustomStrategy } from '../../actors/strategy/custom-strategy.ts';
import type { ConfigFault } from '../../text/config-fault.ts';
import { faultSentence } from '../../text/fault-sentence.ts';
import { builtInStrategies, type StrategyRegistry } from '../../strategies/registry.ts';
import type { LoopStrategy } from '../../strategies/strategy.ts';

type Configured = RunSettings['strategy'];

/** What a strategy is made for. */
export interface StrategyOf {
  readonly configured: Configured;
  readonly limits: Pick<Limits, 'maxIterations'>;
  /** The workspace, where the path of a module starts. */
  readonly directory: string;
}

/** The strategies that runs on this machine may name, custom ones in modules included. */
export interface Strategies {
  /** Warnings about a strategy that is valid all the same. */
  readonly warnings: (settings: Pick<RunSettings, 'strategy' | 'limits' | 'checks'>) => readonly string[];
  /** Throws where `faults` finds any. A module is loaded when its strategy is first needed. */
  readonly of: (of: StrategyOf) => LoopStrategy;
  /** Why no strategy can be made of this config; empty where one can. Loads no module. */
  readonly faults: (of: StrategyOf) => readonly ConfigFault[];
  /** The same faults, and those of loading the module and making its strategy once. */
  readonly loadFaults: (of: StrategyOf) => Promise<readonly ConfigFault[]>;
}

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
  };
}

/** Ends the thread of a strategy that has one. A later call of the strategy starts another. */
export async function release(strategy: LoopStrategy): Promise<void> {
  if (strategy instanceof CustomStrategy) await strategy.end();
}
