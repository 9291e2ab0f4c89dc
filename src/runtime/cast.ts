import type { EventOf, LoopEvent, Reservation, Share } from '../../machines/events.ts';
import type { RunSettings } from '../../machines/settings.ts';
import type { EffectCall, EffectClass } from '../actors/actor.ts';
import type { Fact } from '../log/read-event.ts';
import type { Outstanding, RunState } from './fold.ts';

export type { Fact, FactOf } from '../log/read-event.ts';

/** Where a run stands at the moment an effect is asked for. */
export interface Situation {
  readonly run: string;
  readonly settings: RunSettings;
  readonly state: RunState;
  /** The time of the batch being decided: RFC 3339. */
  readonly at: string;
}

/** How one outstanding effect is performed. A child is a run of its own. */
export type Performance =
  | {
      readonly kind: 'actor';
      readonly effectClass: EffectClass;
      readonly perform: (call: EffectCall) => AsyncIterable<LoopEvent>;
      readonly reconcile?: (call: EffectCall) => Promise<LoopEvent | null>;
    }
  | ChildPerformance;

export interface ChildPerformance {
  readonly kind: 'child';
  /** Asked for where the effect has opened no run yet. */
  readonly settings: (call: EffectCall) => Promise<ChildSettings>;
  /** The call that it answers, where a model has handed the work over. */
  readonly callId: string | null;
  /** The event that answers for it where it was aborted before it began. Null: it owes none. */
  readonly notStarted: LoopEvent | null;
}

/** What a child is to do; or, where nothing can be opened, the event that answers for it. */
export type ChildSettings =
  | { readonly kind: 'settings'; readonly settings: RunSettings }
  | { readonly kind: 'refused'; readonly event: LoopEvent };

/**
 * Those who serve one run. A machine names its effects; the cast performs them. It keeps what effects need of the log
 * (the conversation, the verdicts so far) by watching every fact go by, so that no effect carries contents.
 */
export interface Cast {
  /** Sees every fact of the run once, in order, folded or new, with the state it led to. */
  readonly observe: (fact: Fact, state: RunState) => void;
  /** The answer of an effect that is a pure decision: it joins the transaction that asked for it. Null: not such an effect. */
  readonly decide: (effect: Outstanding, situation: Situation) => LoopEvent | null;
  readonly perform: (effect: Outstanding, situation: Situation) => Performance;
  /** What is set aside for that which a decision to go on starts. */
  readonly reserve?: (situation: Situation) => Share | Reservation | null;
  /** Asked when something has begun, until there is nothing more to warn of. Pure, as `decide` is. */
  readonly warn?: (situation: Situation) => EventOf<'warning.raised'> | null;
  /** What the run has to say for itself so far: its newest answer. */
  readonly answer: () => string;
  /** What a person has said to it meanwhile. */
  readonly steering: () => readonly string[];
  /** The run has left this process: whoever was kept for it may go. */
  readonly release?: () => void;
}
