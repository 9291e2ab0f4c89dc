import type { AnyEvent } from '../../machines/events.ts';
import type { FactOf } from './effect-handlers.ts';

/** What a tracker is told of. */
export type TrackedStep = 'loop_started' | 'phase_started' | 'iteration_completed' | 'loop_completed';

/** One event for programs that track a loop: where it is in its phases, and what that has cost. */
export interface TrackerEvent {
  readonly type: TrackedStep;
  /** 1-based; 0 before the first. */
  readonly iteration: number;
  /** The name of a phase, or `orchestration` for what is of no phase. */
  readonly phase: string;
  /** Tokens. */
  readonly cost: number;
  readonly success: boolean;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** The tracker events of one run, folded from its facts. */
export interface Tracker {
  /** Called with every fact of its run once, in order. Returns the events that follow from it: none, for most facts. */
  observe(fact: FactOf<AnyEvent>): readonly TrackerEvent[];
}
