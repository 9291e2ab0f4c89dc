import type { AnyEvent, EventOf, LoopEvent } from '../../machines/events.ts';
import type { Outstanding, RunState } from '../runtime/fold.ts';

/** What may happen to the runs of a loop, as its author knows it: what every proof about it is made of. */
export interface World<Event extends AnyEvent = LoopEvent> {
  /** Ways to open a run, by what is special about them. Small limits among them, so that every ending is near. */
  readonly openings: Readonly<Record<string, EventOf<'run.started'>>>;
  /**
   * What an effect may say next: its last word, or one before it. What the state refuses is passed over. The first is the
   * most ordinary: that is what a failing run is made of in the end. What is said more often stands there more often.
   */
  readonly answers: (effect: Outstanding, state: RunState) => readonly Event[];
  /** What follows from an event by itself, in the same transaction: the step that a decision starts. */
  readonly follows: (event: Event, state: RunState) => Event | null;
  /** What may be said at any time, by somebody who waits for nothing: people, and the host. */
  readonly remarks: (state: RunState) => readonly Event[];
  /** What must be refused wherever nobody asked for it: the vocabulary, said at the wrong time. */
  readonly noise: readonly Event[];
}
