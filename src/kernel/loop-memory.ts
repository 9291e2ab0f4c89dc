import type { AnyEvent } from '../../machines/events.ts';
import type { Finding } from '../../machines/outcome.ts';
import type { RunSettings } from '../../machines/settings.ts';
import type { Expected } from '../budget/allowance.ts';
import type { VerificationReport } from '../strategies/report.ts';
import type { FactOf } from '../log/read-event.ts';

/** What a loop keeps beside its machine's context, folded from the facts of one run, in order. */
export interface LoopMemory {
  observe(fact: FactOf<AnyEvent>): void;
  /** The task in force, where the loop's own events can change it. Absent: the run's prompt. */
  readonly task?: string;
  /** The versions that show the results of these rounds, in order. */
  shownBy?(rounds: readonly number[]): number[];
}

/** What is folded from the facts of every run, whatever its loop. Judges and pure effects read it. */
export interface RunMemory {
  readonly settings: RunSettings;
  readonly own: LoopMemory;
  /** Expected input tokens and price of the next call of a model. */
  readonly next: Expected;
  /** Findings since the last round began. */
  readonly findings: readonly Finding[];
  readonly report: VerificationReport | null;
  /** The id (`RUN/version`) of a version of this run. */
  readonly idOf: (version: number) => string;
}
