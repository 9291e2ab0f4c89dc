/** The phases of an iteration, in order. */
export const PHASE_NAMES = ['discovery', 'filter', 'experiment', 'evaluate', 'integrate'] as const;
export type PhaseName = (typeof PHASE_NAMES)[number];

/** One amount for each phase, in one unit. `total` is their sum. */
export type PhaseCosts = { readonly [phase in PhaseName | 'total']: number };

export const NO_COSTS: PhaseCosts = { discovery: 0, filter: 0, experiment: 0, evaluate: 0, integrate: 0, total: 0 };

/**
 * The costs with so much more in one phase.
 *
 * @example
 * withCost(NO_COSTS, 'filter', 900).total; // 900
 */
export const withCost = (costs: PhaseCosts, phase: PhaseName, amount: number): PhaseCosts => ({
  ...costs,
  [phase]: costs[phase] + amount,
  total: costs.total + amount,
});

/** What an iteration came to. */
export type ResultType = 'improvement-found' | 'no-candidates' | 'no-improvements' | 'budget-exceeded' | 'error';

/** A change that was kept. */
export interface CodeModification {
  /** SHA-256 of the change, in hex. */
  readonly id: string;
  readonly type: string;
  /** The paths of its files, from the workspace. */
  readonly files: readonly string[];
  /** As `git apply` takes it. Empty: its trees are not in the repository any more. */
  readonly diff: string;
}

/** A change, as the log knows it: its content is the difference of two trees of the repository. */
export interface RecordedModification extends Omit<CodeModification, 'diff'> {
  /** Hashes of the trees before and after it. */
  readonly base: string;
  readonly tree: string;
}

/** One iteration that is over. */
export interface IterationResult<Modification = CodeModification> {
  /** From 1. */
  readonly iterationNumber: number;
  readonly type: ResultType;
  /** Tokens. The summary at the end of a run belongs to its last iteration, in `integrate`. */
  readonly cost: PhaseCosts;
  /** Billionths of a US dollar, over what had a price. Absent: nothing had one. */
  readonly costNanoUsd?: PhaseCosts;
  /** What was kept. */
  readonly modification?: Modification;
  /** Milliseconds, without the time in which the run was paused or interrupted. */
  readonly duration: number;
  /** When it was over: RFC 3339. */
  readonly timestamp: string;
  /** Why it has no other result. */
  readonly error?: string;
}

/** The numbers of a run. */
export interface ImprovementStats {
  readonly iterations: number;
  readonly improvements: number;
  /** Tokens, those of an iteration under way included. */
  readonly totalCost: number;
  /** Improvements divided by iterations; 0 before the first is over. */
  readonly improvementRate: number;
}
