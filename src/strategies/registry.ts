import { z } from 'zod';
import type { RunSettings } from '../../machines/settings.ts';
import { type ConfigFault, faultAt, faultsOf, knownKeys } from '../options/config-fault.ts';
import { nearest } from '../text/nearest.ts';
import type { LoopStrategy } from './strategy.ts';
import type { StrategyKind, StrategyLimits, WarnedRun } from './strategy-kind.ts';
import { DEFAULT_STRATEGY, STRATEGY_KINDS, strategyCap } from './strategy-kinds.ts';

type Configured = NonNullable<RunSettings['strategy']>;

export type CreatedStrategy =
  | { readonly kind: 'created'; readonly strategy: LoopStrategy }
  | { readonly kind: 'refused'; readonly faults: readonly ConfigFault[] };

/**
 * The strategies that a host knows, by name.
 *
 * @example
 * const created = builtInStrategies().create({ name: 'fixed', config: {} }, { maxIterations: 5 });
 */
export class StrategyRegistry {
  readonly #kinds = new Map<string, StrategyKind>();

  /** Throws where the name is taken: a recorded run must mean one strategy. */
  register<Config extends z.ZodType>(name: string, kind: StrategyKind<Config>): this {
    if (this.#kinds.has(name)) throw new Error(`strategy ${name} is registered already; choose another name`);
    this.#kinds.set(name, kind);
    return this;
  }

  list(): string[] {
    return [...this.#kinds.keys()];
  }

  /** Null is `fixed` with 3 iterations. */
  create(configured: Configured | null, limits: StrategyLimits = DEFAULT_LIMITS): CreatedStrategy {
    const { name, config } = configured ?? { name: DEFAULT_STRATEGY, config: {} };
    const kind = this.#kinds.get(name);
    if (!kind) return { kind: 'refused', faults: [this.#unknown(name)] };
    const parsed = kind.config.safeParse(config);
    if (parsed.success) return { kind: 'created', strategy: kind.create(parsed.data, limits) };
    return { kind: 'refused', faults: notItsConfig(name, kind.config, config, parsed.error) };
  }

  /** Warnings about a config, as whole sentences. None where the config is refused: `create` returns the faults. */
  warnings(configured: Configured | null, run: WarnedRun): readonly string[] {
    const { name, config } = configured ?? { name: DEFAULT_STRATEGY, config: {} };
    const kind = this.#kinds.get(name);
    const parsed = kind?.config.safeParse(config);
    return parsed?.success ? (kind?.warnings?.(parsed.data, run) ?? []) : [];
  }

  /** The registered kinds by name, to show them. */
  kinds(): ReadonlyMap<string, Pick<StrategyKind, 'config' | 'about'>> {
    return this.#kinds;
  }

  #unknown(name: string): ConfigFault {
    const known = this.list();
    return faultAt('strategy', name, `one of: ${known.join(', ')}`, nearest(name, known));
  }
}

function notItsConfig(name: string, schema: z.ZodType, config: unknown, { issues }: z.ZodError): ConfigFault[] {
  const inOptions = issues.map((issue) => ({ ...issue, path: ['strategy', 'config', ...issue.path] }));
  const known = knownKeys(schema);
  const faults = faultsOf(new z.ZodError(inOptions), { strategy: { config } }, (path) => known(path.slice(2)));
  return faults.map((fault) => ({ ...fault, expected: `what the strategy ${name} takes (${fault.expected})` }));
}

const DEFAULT_LIMITS: StrategyLimits = { maxIterations: strategyCap({ name: DEFAULT_STRATEGY, config: {} }) };

/** A new registry with every strategy that comes with the library. */
export const builtInStrategies = (): StrategyRegistry =>
  STRATEGY_KINDS.reduce((registry, kind) => registry.register(kind.name, kind), new StrategyRegistry());
