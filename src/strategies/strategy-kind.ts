import type { z } from 'zod';
import type { RunSettings } from '../../machines/settings.ts';
import type { CustomConfig } from './custom-config.ts';
import type { LoopStrategy } from './strategy.ts';

/**
 * A strategy that a run may name. Everything about it stands in its own file: the schema of its config, how it is made,
 * how many iterations it gets, what is worth a warning, and its text for the guide.
 */
export interface StrategyKind<Config extends z.ZodType = z.ZodType> {
  /** Each key has a description, for the guide. */
  readonly config: Config;
  create(config: z.output<Config>, limits: StrategyLimits): LoopStrategy;
  /** Problems of a config that is valid but will not work in this run, as whole sentences. */
  warnings?(config: z.output<Config>, run: WarnedRun): readonly string[];
  /** How it compares to the others. */
  readonly about?: StrategyText;
}

/** A strategy that comes with the library, with what the configuration and the command line ask of it. */
export interface BuiltInStrategy extends StrategyKind {
  readonly name: string;
  /** How it is written in an option, where that is not its name alone. */
  readonly shorthand?: string;
  /** The code of the user decides: a project that brings such a strategy has to be trusted. */
  readonly runsUserCode?: true;
  /** It stops at a number of iterations of its own, however high the run's own cap is. */
  readonly hasOwnCap?: true;
  /**
   * The run's iterations where none are configured; null is as many as the ceiling allows. The config may be invalid.
   */
  readonly defaultIterations: (config: unknown) => number | null;
  /** Whether nothing but passed checks ends it before its last iteration. The config may be invalid. */
  readonly endsOnlyByChecks?: (config: unknown, ci: RunSettings['ci']) => boolean;
  /** The text with which an agent says that it is done. Null: none counts. The config may be invalid. */
  readonly signal?: (config: unknown) => string | null;
}

/** What a run gives its strategy besides its config. */
export interface StrategyLimits {
  readonly maxIterations: number | null;
  /** Makes the strategy that a user's module exports. Only a host can; without it, `custom` cannot be made. */
  readonly custom?: (config: CustomConfig) => LoopStrategy;
}

/** The settings that a strategy's config is compared with. */
export type WarnedRun = Pick<RunSettings, 'limits' | 'checks'>;

/** How a strategy differs from the others, for the guide. */
export interface StrategyText {
  readonly purpose: string;
  /** How many iterations it runs at most. */
  readonly caps: string;
  /** What completes it. */
  readonly endsWhen: string;
  /** What it considers going in circles. */
  readonly stopsWhen: string;
  readonly progress: string;
  readonly partial: string;
  readonly checks: string;
  /** Each completes "Choose it when …". */
  readonly bestFor: readonly string[];
}

type Described<Config extends z.ZodType> = StrategyKind<Config> & Omit<BuiltInStrategy, keyof StrategyKind>;

/** A built-in strategy without the type of its config: parse it with `config` before `create`. */
export const builtIn = <Config extends z.ZodType>(kind: Described<Config>): BuiltInStrategy => kind;

/** A member of a config that may be invalid. */
export const memberOf = (config: unknown, member: string): unknown =>
  typeof config === 'object' && config !== null ? Reflect.get(config, member) : undefined;
