import { z } from 'zod';
import { ImprovementOptions, TerminationRule } from '../../machines/improvement-options.ts';
import type { RunOptions } from './options.ts';

// The configuration of an improvement loop in the words of its own document, and as the options of a run.

type PartsOf<Value> = Value extends readonly unknown[]
  ? Value
  : Value extends object
    ? { readonly [Key in keyof Value]?: PartsOf<Value[Key]> }
    : Value;

/** The whole configuration. Every part that is left out has its default, at any depth. */
export const LoopConfig = z.strictObject({
  maxIterations: z.int().positive().default(10),
  /** Tokens. */
  budgetTokens: z.int().positive().default(5_000_000),
  costTracking: ImprovementOptions.shape.costTracking,
  terminationRules: z.array(TerminationRule).prefault(ImprovementOptions.parse({}).terminationRules),
  phases: ImprovementOptions.shape.phases,
});
export type LoopConfig = z.output<typeof LoopConfig>;

/** The same, with anything left out. */
export type LoopConfigParts = PartsOf<LoopConfig>;

/** The task of a run that names no other focus. */
export const WHOLE_REPOSITORY = 'Make this repository better, one proven step at a time.';

/** The options of the run that has this configuration. What it leaves out, the loop has by default. */
export function improvementOptions({ maxIterations, budgetTokens, ...options }: LoopConfigParts): Partial<RunOptions> {
  return {
    loop: 'improvement',
    ...(maxIterations === undefined ? {} : { maxIterations }),
    ...(budgetTokens === undefined ? {} : { maxTokens: budgetTokens }),
    options: options as NonNullable<RunOptions['options']>,
  };
}

/** What the command line says beside the options of every run. */
export interface ImproveFlags {
  readonly items?: string;
  /** From 0 to 1. */
  readonly minRelevance?: number | undefined;
  readonly ideas?: boolean;
  /** How many experiments of an iteration run at once, in digits. */
  readonly experiments?: string;
  readonly approval?: boolean;
  readonly prCommand?: string;
}

/** The score of an item, or of an idea, that has none of its own. */
export const UNSCORED = 0.5;

/**
 * The options of a run that the command line asks for: flags go before the loop's own options. With a list of items,
 * the minimum of relevance is low enough for items without a score, unless it is set.
 */
export function improveOptions(
  { options = {}, ...given }: Partial<RunOptions>,
  { items, minRelevance, ideas, experiments, approval, prCommand }: ImproveFlags,
): Partial<RunOptions> {
  const own = options as PartsOf<ImprovementOptions>;
  const { discovery, filter, experiment, integrate } = own.phases ?? {};
  const hasItems = (items ?? discovery?.items ?? discovery?.itemsCommand ?? null) !== null;
  const minimum = minRelevance ?? filter?.minRelevanceScore ?? (hasItems ? UNSCORED : undefined);
  const sources = discovery?.sources ?? ImprovementOptions.parse({}).phases.discovery.sources;
  return {
    ...given,
    loop: 'improvement',
    options: {
      ...own,
      phases: {
        ...own.phases,
        discovery: {
          ...discovery,
          ...(items === undefined ? {} : { items }),
          ...(ideas ? { sources: [...sources, 'ideas'] } : {}),
        },
        ...(minimum === undefined ? {} : { filter: { ...filter, minRelevanceScore: minimum } }),
        experiment: { ...experiment, ...(experiments === undefined ? {} : { maxParallel: Number(experiments) }) },
        integrate: {
          ...integrate,
          ...(approval ? { requireApproval: true } : {}),
          ...(prCommand === undefined ? {} : { prCommand }),
        },
      },
    } as NonNullable<RunOptions['options']>,
  };
}
