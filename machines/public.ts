import type { AnyEvent, Recorded } from './events.ts';
import * as life from './life.ts';

export {
  type AnyEvent,
  attemptFacts,
  type EventOf,
  fact,
  groundsFacts,
  IterationEvent,
  lifeFacts,
  type LoopEvent,
  type Recorded,
  TurnEvent,
  Usage,
} from './events.ts';
export { catalogue, type CatalogueEntry, type FrozenMachine, type Migration } from './index.ts';
export { iteration } from './iteration.machine.ts';
export { type Life, mostRounds, type Opening } from './life.ts';
export { AbortCause, addSpend, Ending, Fault, Finding, NO_SPEND, Outcome, ReachedLimit, Spend } from './outcome.ts';
export { Limits, RunSettings } from './settings.ts';
export { type PastPayload, unchanged, type Upcast } from './vocabulary.ts';
export { turn } from './turn.machine.ts';

/** The shared guards and actions, for a machine that has events of its own, too. */
export type LifeOf<Event extends AnyEvent> = {
  readonly [Name in keyof typeof life]: ForEvents<(typeof life)[Name], Event>;
};

type ForEvents<Part, Event extends AnyEvent> = Part extends () => unknown
  ? Part
  : Part extends (first: infer First, ...rest: infer Rest) => infer Result
    ? (first: Received<First, Event>, ...rest: Rest) => ForEvents<Result, Event>
    : Part;

type Received<First, Event extends AnyEvent> = First extends AnyEvent
  ? AnyEvent
  : First extends { event: Recorded<AnyEvent> }
    ? Omit<First, 'event'> & { event: Recorded<Event> }
    : First;

/**
 * The guards and actions that loops share, typed for the events of one of them.
 *
 * @example
 * const life = lifeFor<ReviewedEvent>();
 * const guards = { goesOn: life.goesOn, isPending: life.isPending };
 */
export const lifeFor = <Event extends AnyEvent>(): LifeOf<Event> => life as unknown as LifeOf<Event>;
