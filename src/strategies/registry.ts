import { z } from 'zod';
import type { RunSettings } from '../../machines/settings.ts';
import { DEFAULT_STRATEGY, iterationsOf } from '../config/defaults.ts';
import { type ConfigFault, faultAt, faultsOf } from '../config/fault.ts';
import { nearest } from '../config/nearest.ts';
import { CustomConfig } from './custom.ts';
import { FixedStrategy } from './fixed.ts';
import type { LoopStrategy } from './strategy.ts';

type Configured = NonNullable<RunSettings['strategy']>;

/** What a run gives its strategy besides its config. */
export interface StrategyLimits {
  readonly maxIterations: number | null;
  /** Makes what a module of somebody's own exports. Only a host can: without one there is no `custom`. */
  readonly custom?: (config: CustomConfig) => LoopStrategy;
}

/** A strategy a run may name: the schema of its config, and how to make it. */
export interface StrategyKind<Config extends z.ZodType = z.ZodType> {
  readonly config: Config;
  readonly create: (config: z.output<Config>, limits: StrategyLimits) => LoopStrategy;
}

export type CreatedStrategy =
  | { readonly kind: 'created'; readonly strategy: LoopStrategy }
  | { readonly kind: 'refused'; readonly faults: readonly ConfigFault[] };

/**
 * The strategies a host knows, by name.
 *
 * @example
 * const created = builtInStrategies().create({ name: 'fixed', config: {} }, { maxIterations: 5 });
 */
export class StrategyRegistry {
  readonly #kinds = new Map<string, StrategyKind>();

  /** Throws where the name is taken: which of the two a recorded run meant would be anybody's guess. */
  register<Config extends z.ZodType>(name: string, kind: StrategyKind<Config>): this {
    if (this.#kinds.has(name)) throw new Error(`strategy ${name} is registered already; choose another name`);
    this.#kinds.set(name, kind);
    return this;
  }

  list(): string[] {
    return [...this.#kinds.keys()];
  }

  /** Nothing configured is `fixed` with 3 iterations. */
  create(configured: Configured | null, limits: StrategyLimits = DEFAULT_LIMITS): CreatedStrategy {
    const { name, config } = configured ?? { name: DEFAULT_STRATEGY, config: {} };
    const kind = this.#kinds.get(name);
    if (!kind) return { kind: 'refused', faults: [this.#unknown(name)] };
    const parsed = kind.config.safeParse(config);
    if (parsed.success) return { kind: 'created', strategy: kind.create(parsed.data, limits) };
    return { kind: 'refused', faults: notItsConfig(name, config, parsed.error) };
  }

  #unknown(name: string): ConfigFault {
    const known = this.list();
    return faultAt('strategy', name, `one of: ${known.join(', ')}`, nearest(name, known));
  }
}

function notItsConfig(name: string, config: unknown, { issues }: z.ZodError): ConfigFault[] {
  const inOptions = issues.map((issue) => ({ ...issue, path: ['strategy', 'config', ...issue.path] }));
  const faults = faultsOf(new z.ZodError(inOptions), { strategy: { config } }, () => []);
  return faults.map((fault) => ({ ...fault, expected: `what the strategy ${name} takes (${fault.expected})` }));
}

const DEFAULT_LIMITS: StrategyLimits = { maxIterations: iterationsOf({ name: DEFAULT_STRATEGY, config: {} }) };

/** A registry of its own, with every strategy that comes with the library. */
export function builtInStrategies(): StrategyRegistry {
  return new StrategyRegistry().register('fixed', {
    config: z.strictObject({}),
    create: (_config, { maxIterations }) => new FixedStrategy(maxIterations),
  }).register('custom', {
    config: CustomConfig,
    create: (config, { custom }) => {
      if (!custom) throw new Error('a custom strategy is made by a host: Loops makes it, a registry alone cannot');
      return custom(config);
    },
  });
}
