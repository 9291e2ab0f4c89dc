import { z } from 'zod';
import type { Fault } from '../../machines/outcome.ts';
import type { RunSettings } from '../../machines/settings.ts';
import { DEFAULT_ITERATIONS, DEFAULT_STRATEGY } from '../config/defaults.ts';
import { nearest } from '../config/nearest.ts';
import { FixedStrategy } from './fixed.ts';
import type { LoopStrategy } from './strategy.ts';

type Configured = NonNullable<RunSettings['strategy']>;

/** What a run gives its strategy besides its config. */
export interface StrategyLimits {
  readonly maxIterations: number | null;
}

/** A strategy a run may name: the schema of its config, and how to make it. */
export interface StrategyKind<Config extends z.ZodType = z.ZodType> {
  readonly config: Config;
  readonly create: (config: z.output<Config>, limits: StrategyLimits) => LoopStrategy;
}

export type CreatedStrategy =
  | { readonly kind: 'created'; readonly strategy: LoopStrategy }
  | { readonly kind: 'refused'; readonly fault: Fault };

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
    if (!kind) return refused('unknown_strategy', this.#unknown(name));
    const parsed = kind.config.safeParse(config);
    if (parsed.success) return { kind: 'created', strategy: kind.create(parsed.data, limits) };
    return refused('invalid_strategy_config', `strategy ${name}: ${z.prettifyError(parsed.error)}`);
  }

  #unknown(name: string): string {
    const known = this.list();
    const meant = nearest(name, known);
    const hint = meant === null ? '' : ` Did you mean ${meant}?`;
    return `strategy ${name} is not known. Known are: ${known.join(', ')}.${hint}`;
  }
}

const DEFAULT_LIMITS: StrategyLimits = { maxIterations: DEFAULT_ITERATIONS.get(DEFAULT_STRATEGY) ?? null };

const refused = (code: string, message: string): CreatedStrategy => ({ kind: 'refused', fault: { code, message } });

/** A registry of its own, with every strategy that comes with the library. */
export function builtInStrategies(): StrategyRegistry {
  return new StrategyRegistry().register('fixed', {
    config: z.strictObject({}),
    create: (_config, { maxIterations }) => new FixedStrategy(maxIterations),
  });
}
