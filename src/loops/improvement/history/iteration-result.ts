import { isUnanswered, type Outcome } from '../../../../machines/outcome.ts';
import type { Fact } from '../../../kernel/effect-handlers.ts';

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

/** What an iteration came to, and why where that is an error. */
export interface Result {
  readonly type: ResultType;
  readonly error?: string;
}

const ABORTED: Result = { type: 'error', error: 'aborted' };
const OUT_OF_TIME: Result = { type: 'budget-exceeded' };

/** What an iteration comes to that is stopped by this fact, unless it finishes all the same. Null: it goes on. */
export function stoppedBy({ type, payload }: Fact): Result | null {
  if (type === 'abort.requested') {
    const { cause, reason } = payload;
    return { type: 'error', error: reason === null ? `aborted by ${cause}` : `aborted by ${cause}: ${reason}` };
  }
  if (type === 'timer.fired' && payload.timer === 'deadline') return OUT_OF_TIME;
  return type === 'child.settled' ? experimentEnded(payload.outcome) : null;
}

function experimentEnded(outcome: Outcome): Result | null {
  // The loop itself has stopped it: an earlier candidate has won.
  if (outcome.ending !== 'abort' || outcome.cause === 'error' || outcome.cause === 'parent') return null;
  return { type: 'error', error: `aborted by ${outcome.cause}` };
}

/** The error that ends an iteration: of an experiment, except where the model only gave no answer. Null: no error. */
export function failedBy({ type, payload }: Fact): Result | null {
  if (type !== 'child.settled') return null;
  const { outcome } = payload;
  if (outcome.ending !== 'abort' || outcome.cause !== 'error' || isUnanswered(outcome)) return null;
  return { type: 'error', error: outcome.fault?.message ?? 'the experiment failed' };
}

/** What an iteration comes to that is not over when the run ends. `stopped`: what stopped it, if it was stopped. */
export function endedBy(outcome: Outcome, reason: string, stopped: Result | null): Result {
  switch (outcome.ending) {
    case 'abort':
      return { type: 'error', error: outcome.fault?.message ?? stopped?.error ?? reason };
    case 'doom_loop':
      return { type: 'no-improvements' };
    default:
      return stopped ?? { type: 'budget-exceeded' };
  }
}

/** What an iteration came to that was stopped, where the run was continued with another one. */
export const leftBehind = (stopped: Result | null): Result => stopped ?? ABORTED;
