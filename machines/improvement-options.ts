import { z } from 'zod';
import { DiscoverySource } from './improvement-facts.ts';

const model = z.string().nullable().default(null);
const enabled = z.boolean().default(true);
const tokens = z.int().nonnegative();

/** When an improvement loop stops by itself. `value`: iterations, a share of the budget, a rate, improvements. */
export const TerminationRule = z.strictObject({
  type: z.enum(['consecutive-failures', 'budget-exceeded', 'rate-threshold', 'max-iterations', 'improvements-found']),
  value: z.number().nonnegative(),
});
export type TerminationRule = z.infer<typeof TerminationRule>;

/** A command whose duration, or a number that it prints, is compared between two trees. */
export const Benchmark = z.strictObject({
  name: z.string(),
  command: z.string(),
  /** A regular expression whose first group is the number. Absent: the duration of the command in milliseconds. */
  metric: z.string().optional(),
  /** Whether more is better. */
  higherIsBetter: z.boolean().default(false),
  /** Worse than this, the benchmark is a discovery. Absent: it is never one. */
  target: z.number().optional(),
  /** The ratio to the head that a candidate for it has to beat with the whole interval. */
  threshold: z.number().positive().default(0.95),
  pairs: z.int().min(9).max(101).default(9),
  timeoutMs: z.int().positive().default(60_000),
});
export type Benchmark = z.infer<typeof Benchmark>;

/** A command of an evaluation that runs before the checks, and can only refuse. */
export const EarlyTier = z.strictObject({
  name: z.string(),
  /** `{files}` is replaced by the changed files, each quoted. */
  command: z.string(),
  timeoutMs: z.int().positive().default(300_000),
  /** What one run costs outside of the loop's own models. */
  costUsd: z.number().nonnegative().default(0),
});
export type EarlyTier = z.infer<typeof EarlyTier>;

const Discovering = z.strictObject({
  enabled,
  /** Null: the cheapest known model of the provider of the run's. Asked only with the source `ideas`. */
  model,
  sources: z
    .array(DiscoverySource)
    .default(['failing-tests', 'type-errors', 'lint', 'skipped-tests', 'benchmarks', 'todos', 'coverage', 'items']),
  /** A file with one open item a line, or JSON; from the folder of the run. */
  items: z.string().nullable().default(null),
  /** A command that prints such a file. */
  itemsCommand: z.string().nullable().default(null),
  /** Files to read errors from, from the folder of the run. */
  logs: z.array(z.string()).default([]),
  /** A coverage report in the format of lcov. */
  lcov: z.string().nullable().default(null),
  estimateTokens: tokens.default(10_000),
});

const Filtering = z.strictObject({
  enabled,
  /** Null: the cheapest known model of the provider of the run's; where none is known, the rules' scores stand. */
  model,
  minRelevanceScore: z.number().min(0).max(1).default(0.6),
  /** The most that one iteration tries. */
  maxCandidates: z.int().min(1).max(50).default(5),
  /** For each discovery. */
  estimateTokens: tokens.default(1_000),
});

/** Each has a worktree, and a run with processes of its own. */
const MAX_PARALLEL_EXPERIMENTS = 16;

const Experimenting = z.strictObject({
  enabled,
  model,
  /** Each experiment gets a plan; where there is a batch interface, all of an iteration's are one batch. */
  useBatchAPI: z.boolean().default(true),
  /** The name of the loop that does an experiment. */
  loop: z.string().default('turn'),
  /** For a loop of attempts. */
  maxIterations: z.int().positive().default(3),
  /** How many experiments of an iteration run at once, each in a worktree of its own. */
  maxParallel: z.int().min(1).max(MAX_PARALLEL_EXPERIMENTS).default(1),
  /** What has to be left for an experiment; it may use more. A tenth is set aside for its plan, beside it. */
  estimateTokens: tokens.min(1).default(100_000),
});

const Evaluating = z.strictObject({
  enabled,
  focused: EarlyTier.nullable().default(null),
  /** A declared sample of a large suite. */
  anchors: z.array(EarlyTier).default([]),
  benchmarks: z.array(Benchmark).default([]),
});

const Integrating = z.strictObject({
  enabled,
  requireApproval: z.boolean().default(false),
  /** Opens a pull request: gets its text on standard input. */
  prCommand: z.string().nullable().default(null),
  estimateTokens: tokens.default(5_000),
});

/** The own options of the improvement loop, as a run records them. */
export const ImprovementOptions = z.strictObject({
  /** Each candidate names its witness before it is tried. Absent: recorded before candidates did. */
  witnesses: z.literal(true).optional(),
  costTracking: z.boolean().default(true),
  terminationRules: z.array(TerminationRule).default([
    { type: 'consecutive-failures', value: 3 },
    { type: 'budget-exceeded', value: 1 },
    { type: 'rate-threshold', value: 0.1 },
  ]),
  phases: z
    .strictObject({
      discovery: Discovering.prefault({}),
      filter: Filtering.prefault({}),
      experiment: Experimenting.prefault({}),
      evaluate: Evaluating.prefault({}),
      integrate: Integrating.prefault({}),
    })
    .prefault({}),
});
export type ImprovementOptions = z.output<typeof ImprovementOptions>;

/** Whether a person decides about every integration: nothing else keeps what was not evaluated. */
export const asksPerson = ({ phases: { evaluate, integrate } }: Pick<ImprovementOptions, 'phases'>): boolean =>
  integrate.requireApproval || !evaluate.enabled;

/**
 * The value of a rule of termination: of several of one type the strictest, which ends the loop first. Null: there is
 * none.
 */
export function ruleValue(
  { terminationRules, witnesses }: Pick<ImprovementOptions, 'terminationRules' | 'witnesses'>,
  wanted: TerminationRule['type'],
): number | null {
  const values = terminationRules.filter(({ type }) => type === wanted).map(({ value }) => value);
  const [first = null] = values;
  // Older runs are folded by the first.
  if (first === null || !witnesses) return first;
  return wanted === 'rate-threshold' ? Math.max(...values) : Math.min(...values);
}
