import type { AnyEvent } from '../../machines/events.ts';
import type { Finding } from '../../machines/outcome.ts';
import type { RunSettings } from '../../machines/settings.ts';
import type { Expected } from '../budget/allowance.ts';
import type { VerificationReport } from '../strategies/report.ts';
import type { FactOf } from './cast.ts';

/** What a loop remembers beside its machine: folded from the facts of one run, in order. */
export interface LoopMemory {
  observe(fact: FactOf<AnyEvent>): void;
  /** The versions that show how these rounds went, in order. */
  shownBy?(rounds: readonly number[]): number[];
}

/** What is remembered of every run, whatever its loop. */
export interface RunMemory {
  readonly settings: RunSettings;
  readonly own: LoopMemory;
  /** What the next call of a model takes in and costs. */
  readonly next: Expected;
  /** What detectors have said since the work went on. */
  readonly findings: readonly Finding[];
  readonly report: VerificationReport | null;
  /** The id (`RUN/version`) of a version of this run. */
  readonly idOf: (version: number) => string;
}
