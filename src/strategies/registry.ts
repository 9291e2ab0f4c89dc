import { z } from 'zod';
import type { RunSettings } from '../../machines/settings.ts';
import { DEFAULT_STRATEGY, strategyCap } from '../config/defaults.ts';
import { type ConfigFault, faultAt, faultsOf } from '../config/fault.ts';
import { knownKeys } from '../config/known-keys.ts';
import { nearest } from '../config/nearest.ts';
import { CustomConfig } from './custom.ts';
import { FixedStrategy } from './fixed.ts';
import { HybridConfig, HybridStrategy } from './hybrid.ts';
import { RalphConfig, RalphStrategy } from './ralph.ts';
import type { LoopStrategy } from './strategy.ts';
import { hybridWarnings, ralphWarnings, type WarnedRun } from './warnings.ts';
import { STRATEGY_WORDS, type StrategyWords } from './words.ts';

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
  /** What is worth knowing of a config before a run starts, though nothing refuses it. Whole sentences. */
  readonly warnings?: (config: z.output<Config>, run: WarnedRun) => readonly string[];
  /** How it compares to others, for whoever has to choose. */
  readonly about?: StrategyWords;
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
    return { kind: 'refused', faults: notItsConfig(name, kind.config, config, parsed.error) };
  }

  /** What is worth knowing of a strategy as it is configured. Nothing where it is refused: `create` says why. */
  warnings(configured: Configured | null, run: WarnedRun): readonly string[] {
    const { name, config } = configured ?? { name: DEFAULT_STRATEGY, config: {} };
    const kind = this.#kinds.get(name);
    const parsed = kind?.config.safeParse(config);
    return parsed?.success ? (kind?.warnings?.(parsed.data, run) ?? []) : [];
  }

  /** The kinds as they were registered, to be shown. */
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

/** A registry of its own, with every strategy that comes with the library. */
export function builtInStrategies(): StrategyRegistry {
  return new StrategyRegistry()
    .register('fixed', {
      config: z.strictObject({}),
      create: (_config, { maxIterations }) => new FixedStrategy(maxIterations),
      about: STRATEGY_WORDS.fixed,
    })
    .register('hybrid', {
      config: HybridConfig,
      create: ({ baseIterations, maxBonusIterations, progressThreshold, ...more }, { maxIterations }) =>
        new HybridStrategy(baseIterations, maxBonusIterations, progressThreshold, { ...more, maxIterations }),
      warnings: hybridWarnings,
      about: STRATEGY_WORDS.hybrid,
    })
    .register('ralph', {
      config: RalphConfig,
      create: ({ minIterations, convergenceThreshold, windowSize, ...more }, { maxIterations }) =>
        new RalphStrategy(minIterations, maxIterations, convergenceThreshold, windowSize, more),
      warnings: ralphWarnings,
      about: STRATEGY_WORDS.ralph,
    })
    .register('custom', {
      config: CustomConfig,
      create: (config, { custom }) => {
        if (!custom) throw new Error('a custom strategy is made by a host: Loops makes it, a registry alone cannot');
        return custom(config);
      },
      about: STRATEGY_WORDS.custom,
    });
}
