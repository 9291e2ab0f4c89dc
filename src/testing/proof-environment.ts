import type { AnyEvent, EventOf, LoopEvent } from '../../machines/events.ts';
import type { Outstanding, RunState } from '../kernel/fold.ts';

/** What may happen to the runs of a loop. Its author writes it; every proof is computed from it. */
export interface ProofEnvironment<Event extends AnyEvent = LoopEvent> {
  /**
   * Events that open a run, by a name that says what is special. Include small limits, so that every ending is near.
   */
  readonly openings: Readonly<Record<string, EventOf<'run.started'>>>;
  /**
   * The events that an effect may answer next: its result, or one before it. Events that the state refuses are skipped.
   * Put the most ordinary one first, because failing runs shrink towards it; list a frequent one several times.
   */
  readonly answers: (effect: Outstanding, state: RunState) => readonly Event[];
  /**
   * The event that is recorded in the same transaction after another one, such as the start of a step after its
   * decision.
   */
  readonly follows: (event: Event, state: RunState) => Event | null;
  /** Events that may come at any time and answer no effect: from users and from the host. */
  readonly remarks: (state: RunState) => readonly Event[];
  /** Events of the vocabulary to try at the wrong time: they must be refused wherever no effect waits for them. */
  readonly noise: readonly Event[];
  /**
   * Members of the context that no guard, answer, remark or follower reads: times that only effects need, for example.
   * The search for paths takes states that differ in these alone for one state. Default: none.
   */
  readonly unread?: readonly string[];
}
