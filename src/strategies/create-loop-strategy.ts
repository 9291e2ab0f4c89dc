import type { RunSettings } from '../../machines/settings.ts';
import { faultSentence } from '../text/config-fault.ts';
import { builtInStrategies } from './registry.ts';
import type { LoopStrategy } from './strategy.ts';
import { DEFAULT_STRATEGY, strategyCap } from './strategy-kinds.ts';

type Configured = NonNullable<RunSettings['strategy']>;

/** The name of a strategy as `mode`, and its config beside it. */
export interface LoopStrategyConfig {
  /** `fixed`, `hybrid`, `ralph` or `custom`. Absent: `fixed`. */
  readonly mode?: string;
  /** Iterations. Null: as many as its run allows; absent: the default of the strategy. */
  readonly maxIterations?: number | null;
  readonly [member: string]: unknown;
}

/**
 * A built-in strategy from one flat config: the same as `builtInStrategies().create`. Throws a `RangeError` that lists
 * the known modes, or names every invalid member. A strategy in a module of your own is loaded only by a run.
 *
 * @example
 * const strategy = createLoopStrategy({ mode: 'hybrid', baseIterations: 2 });
 */
export function createLoopStrategy(config: LoopStrategyConfig = {}): LoopStrategy {
  const { mode: name = DEFAULT_STRATEGY, maxIterations, ...own } = config;
  const configured = { name, config: own as Configured['config'] };
  const cap = maxIterations === undefined ? strategyCap(configured) : maxIterations;
  const created = builtInStrategies().create(configured, { maxIterations: cap });
  if (created.kind === 'created') return created.strategy;
  const faults = created.faults.map((fault) => ({ ...fault, flag: null, field: memberOf(fault.field) }));
  throw new RangeError(`createLoopStrategy: ${faults.map(faultSentence).join('; ')}`);
}

/** What a field of a run's options is called here. */
const memberOf = (field: string): string => (field === 'strategy' ? 'mode' : field.replace('strategy.config.', ''));
