import type { EventOf, LoopEvent, Reservation, Share } from '../../machines/events.ts';
import type { RunSettings } from '../../machines/settings.ts';
import type { EffectCall, EffectClass } from '../actors/actor.ts';
import type { Fact } from '../log/read-event.ts';
import type { Deciding } from './deciding.ts';
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
