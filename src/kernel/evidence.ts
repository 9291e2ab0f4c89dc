import type { Life } from '../../machines/life.ts';
import type { Finding, Grade } from '../../machines/outcome.ts';
import type { Expected } from '../budget/allowance.ts';
import type { Used } from '../budget/reached-limits.ts';
import type { VerificationReport } from '../strategies/report.ts';
import type { LoopMemory } from './loop-memory.ts';

/** What every judgement rests on. */
export interface Evidence<Context extends Life = Life, Memory extends LoopMemory = LoopMemory> {
  readonly context: Context;
  /** What the loop remembers beside its machine. */
  readonly memory: Memory;
  /** The loop's word for one round: `step`. */
  readonly round: string;
  /** The time of the judgement. */
  readonly at: string;
  /** The version that asked the judge. */
  readonly version: number;
  readonly used: Used;
  /** Findings since the last round began, of every level. */
  readonly findings: readonly Finding[];
  readonly report: VerificationReport | null;
  /** What the newest checks are worth where they passed. Null: none ran, or before such checks had a grade. */
  readonly grade: Grade | null;
  /** Tells whether that is enough, by what the run was started to accept. Null: it has no grade. */
  readonly enough: boolean | null;
  /** How the checks went on what the run began with. Null: they have not run on it. */
  readonly baseline: VerificationReport | null;
  /** What else the first prompt says of what the run began with, a paragraph each. */
  readonly beginning: readonly string[];
  /** The newest checks of the workspace with exactly its content now have failed. */
  readonly failedBefore: boolean;
  /** Expected input tokens and price of the next call of a model. */
  readonly next: Expected;
  /** The id (`RUN/version`) of a version of this run. */
  readonly idOf: (version: number) => string;
}
