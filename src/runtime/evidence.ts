import type { Life } from '../../machines/life.ts';
import type { Finding } from '../../machines/outcome.ts';
import type { Expected } from '../budget/allowance.ts';
import type { Used } from '../budget/reached.ts';
import type { VerificationReport } from '../strategies/report.ts';
import type { LoopMemory } from './loop-memory.ts';

/** What every judgement rests on. */
export interface Evidence<Context extends Life = Life, Memory extends LoopMemory = LoopMemory> {
  readonly context: Context;
  /** What the loop remembers beside its machine. */
  readonly memory: Memory;
  /** One round of the loop, in a word. */
  readonly round: string;
  /** The time of the judgement. */
  readonly at: string;
  /** The version that asked for it. */
  readonly version: number;
  readonly used: Used;
  /** What detectors have said since the work went on, strongest or not. */
  readonly findings: readonly Finding[];
  readonly report: VerificationReport | null;
  /** Checks have failed, newest verdict, on the very workspace as it is now. */
  readonly failedBefore: boolean;
  /** What the next call of a model takes in and costs. */
  readonly next: Expected;
  /** The id (`RUN/version`) of a version of this run. */
  readonly idOf: (version: number) => string;
}
