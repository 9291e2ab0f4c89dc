import type { Limits, RunSettings } from '../../machines/settings.ts';
import type { LoopStrategy } from '../strategies/strategy.ts';
import type { ConfigFault } from '../options/config-fault.ts';

/** What a strategy is made for. */
export interface StrategyOf {
  readonly configured: RunSettings['strategy'];
  readonly limits: Pick<Limits, 'maxIterations'>;
  /** The workspace, where the path of a module starts. */
  readonly directory: string;
}

/** The strategies that runs of a host may name, custom ones in modules included. */
export interface Strategies {
  /** Warnings about a strategy that is valid all the same. */
  readonly warnings: (settings: Pick<RunSettings, 'strategy' | 'limits' | 'checks'>) => readonly string[];
  /** Throws where `faults` finds any. A module is loaded when its strategy is first needed. */
  readonly of: (of: StrategyOf) => LoopStrategy;
  /** Why no strategy can be made of this config; empty where one can. Loads no module. */
  readonly faults: (of: StrategyOf) => readonly ConfigFault[];
  /** The same faults, and those of loading the module and making its strategy once. */
  readonly loadFaults: (of: StrategyOf) => Promise<readonly ConfigFault[]>;
  /** Ends the thread of a strategy that has one. A later call of the strategy starts another. */
  readonly release: (strategy: LoopStrategy) => Promise<void>;
}
