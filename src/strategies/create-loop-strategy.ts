import type { RunSettings } from '../../machines/settings.ts';
import { type ConfigFault, faultAt, faultSentence } from '../options/config-fault.ts';
import { nearest } from '../text/nearest.ts';
import { capExpected } from './numbers.ts';
import { builtInStrategies } from './registry.ts';
import type { LoopStrategy } from './strategy.ts';
import { DEFAULT_STRATEGY, STRATEGY_KINDS, strategyCap } from './strategy-kinds.ts';

type Configured = NonNullable<RunSettings['strategy']>;

/** A module of the user's own is loaded by a run, and not here. */
const MODES = STRATEGY_KINDS.filter(({ runsUserCode }) => runsUserCode !== true).map(({ name }) => name);
/** Stands in for a number that is refused, while the other members are read. */
const NO_CAP = null;

/** The name of a strategy as `mode`, and its config beside it. */
export interface LoopStrategyConfig {
  /** `fixed`, `hybrid` or `ralph`. Absent: `fixed`. */
  readonly mode?: string;
  /** Iterations. Null: as many as its run allows; absent: the default of the strategy. */
  readonly maxIterations?: number | null;
  readonly [member: string]: unknown;
}

/**
 * A built-in strategy from one flat config: the same as `builtInStrategies().create`. Throws a `RangeError` that lists
 * the known modes, or names every invalid member. A strategy in a module of your own is loaded only by a run, so the
 * mode `custom` is refused here.
 *
 * @example
 * const strategy = createLoopStrategy({ mode: 'hybrid', baseIterations: 2 });
 */
export function createLoopStrategy(config: LoopStrategyConfig = {}): LoopStrategy {
  if (!isObject(config)) throw invalid([faultAt('config', config, 'an object')]);
  const { mode: name = DEFAULT_STRATEGY, maxIterations, ...own } = config;
  if (!MODES.includes(name)) throw invalid([unknownMode(name)]);
  const configured = { name, config: own as Configured['config'] };
  const expected = maxIterations === undefined ? null : capExpected(maxIterations);
  const faults = expected === null ? [] : [faultAt('maxIterations', maxIterations, expected)];
  const cap = maxIterations === undefined ? strategyCap(configured) : maxIterations;
  const created = builtInStrategies().create(configured, { maxIterations: faults.length > 0 ? NO_CAP : cap });
  if (created.kind === 'created' && faults.length === 0) return created.strategy;
  const ofConfig = created.kind === 'refused' ? created.faults : [];
  throw invalid([...faults, ...ofConfig.map((fault) => ({ ...fault, field: memberOf(fault.field) }))]);
}

/** Callers without types can give anything. */
const isObject = (config: unknown): boolean => typeof config === 'object' && config !== null && !Array.isArray(config);

function unknownMode(mode: unknown): ConfigFault {
  const own = STRATEGY_KINDS.find(({ name }) => name === mode);
  const remark = own ? '; a module of your own is loaded by a run: give Loops.start its strategy' : '';
  const meant = typeof mode === 'string' && !own ? nearest(mode, MODES) : null;
  return faultAt('mode', mode, `one of: ${MODES.join(', ')}${remark}`, meant);
}

const invalid = (faults: readonly ConfigFault[]): RangeError =>
  new RangeError(`createLoopStrategy: ${faults.map((fault) => faultSentence({ ...fault, flag: null })).join('; ')}`);

const memberOf = (field: string): string => field.replace('strategy.config.', '');
