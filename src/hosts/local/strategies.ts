import type { Limits, RunSettings } from '../../../machines/settings.ts';
import { CustomStrategy } from '../../actors/strategy/custom-strategy.ts';
import { type ConfigFault, faultSentence } from '../../config/fault.ts';
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

/** The strategies that runs on this machine may name, those in modules of somebody's own included. */
export interface Strategies {
  /** What is worth knowing of it before a run starts, though nothing refuses it. */
  readonly warnings: (settings: Pick<RunSettings, 'strategy' | 'limits' | 'checks'>) => readonly string[];
  /** Throws where there is none: ask for the `faults` first. A module is loaded when its strategy is first needed. */
  readonly of: (of: StrategyOf) => LoopStrategy;
  /** Why none can be made of this, as far as its config says; nothing where one can. */
  readonly faults: (of: StrategyOf) => readonly ConfigFault[];
  /** The same, with the module loaded and its strategy made once, to see whether that can be done. */
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

/** Ends the thread of a strategy that has one. Asked once more, it starts another. */
export async function release(strategy: LoopStrategy): Promise<void> {
  if (strategy instanceof CustomStrategy) await strategy.end();
}
