import type { EventOf, LoopEvent, Reservation, Share, AnyEvent } from '../../machines/events.ts';
import type { RunSettings, ActivityStatus } from '../../machines/settings.ts';
import type { EffectCall, EffectClass } from '../actors/actor.ts';
import type { Fact, FactOf } from '../log/read-event.ts';
import type { Deciding } from './call-kinds.ts';
import type { Outstanding, RunState } from './fold.ts';

export type { Fact, FactOf } from '../log/read-event.ts';

/** Where a run stands at the moment an effect is asked for. */
export interface RunContext {
  readonly run: string;
  readonly settings: RunSettings;
  readonly state: RunState;
  /** The time of the batch being decided: RFC 3339. */
  readonly at: string;
}

/** How one outstanding effect is executed. A child is a run of its own. */
export type Execution =
  | {
      readonly kind: 'actor';
      readonly effectClass: EffectClass;
      readonly execute: (call: EffectCall) => AsyncIterable<LoopEvent>;
      /**
       * The result if it happened before a crash. Null: it did not, and may be started. A `repeatable` effect is asked
       * only where it was cancelled: any other is started again.
       */
      readonly reconcile?: (call: EffectCall) => Promise<LoopEvent | null>;
    }
  | ChildExecution;

export interface ChildExecution {
  readonly kind: 'child';
  /** Called where the effect has opened no run yet. */
  readonly settings: (call: EffectCall) => Promise<ChildSettings>;
  /** The call that it answers, where a model has delegated the work. */
  readonly callId: string | null;
  /** Which of several children at once it is. Absent: the only one. */
  readonly lane?: string;
  /** The event that answers the effect where it was aborted before it began. Null: none is recorded. */
  readonly notStarted: LoopEvent | null;
}

/** The settings of a child; or, where it cannot be opened, the event that answers the effect. */
export type ChildSettings =
  | { readonly kind: 'settings'; readonly settings: RunSettings }
  | { readonly kind: 'refused'; readonly event: LoopEvent };

/**
 * The effect handlers of one run. A machine names its effects; the handlers answer them. They remember what effects
 * need of the log (the conversation, the check results) by observing every fact, so that no effect carries contents.
 */
export interface EffectHandlers {
  /** Called with every fact of the run once, in order, folded or new, and the state it led to. */
  readonly observe: (fact: Fact, state: RunState) => void;
  /** The ground of the pure answers of its effects, which the definition of its loop gives. */
  readonly deciding: () => Deciding;
  readonly execute: (effect: Outstanding, context: RunContext) => Execution;
  /** The reservation for the round that a decision to continue starts. */
  readonly reserve?: (context: RunContext) => Share | Reservation | null;
  /** The next warning when a round has begun; called again until it is null. Pure, like `decide`. */
  readonly warn?: (context: RunContext) => EventOf<'warning.raised'> | null;
  /**
   * Asked when the run at the top of a tree was resumed, before its effects start: the fact that says what people have
   * to do first, outside of the program. It is recorded, and the run pauses again. Null: it goes on.
   */
  readonly hindrance?: (context: RunContext) => LoopEvent | null;
  /**
   * Asked before a pause or a wait for a person is recorded, when nothing of the run is at work any more: the fact of
   * what the work so far has left where only people will be from now on. Null: nothing.
   */
  readonly notice?: (context: RunContext) => LoopEvent | null;
  /** The newest answer of the run. */
  readonly answer: () => string;
  /** The text of the message that gave it, where a call in that message did. */
  readonly text?: () => string | null;
  /** Texts by which people have steered it. */
  readonly steering: () => readonly string[];
  /** The run has left this process: ends what was kept for it. Null: there is nothing to wait for. */
  readonly release?: () => Promise<void> | null;
}

/** The handlers that decide, and start nothing: as many as `opening` and `react` need. */
export type DecidingHandlers = Pick<EffectHandlers, 'observe' | 'deciding' | 'reserve' | 'warn'>;

/** What a run does, in the terms of people who wait for it. */
export interface Activity {
  readonly status: ActivityStatus;
  /** 1-based: the round that begins, or the last one that began. 0: it ended before any. */
  readonly iteration: number;
  /** Null: no cap on rounds. */
  readonly maxIterations: number | null;
  /** Why, as its decision says. */
  readonly reason: string;
  /** The label that the run was started by. Null: it was started without one. */
  readonly label: string | null;
}

/** What users may want to do after a run has ended, folded from its facts. */
export interface NextSteps {
  observe(fact: FactOf<AnyEvent>): void;
  /** The likeliest first. `run`: how commands name the run. */
  steps(run: string): readonly NextStep[];
}

/** A command by its words; or the verb that starts such a run, once more with these flags. */
export type NextStep =
  | { readonly kind: 'command'; readonly words: readonly string[] }
  | { readonly kind: 'anew'; readonly verb: string; readonly flags: readonly string[] };

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
