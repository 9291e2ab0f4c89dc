import { getShortestPaths } from '@xstate/graph';
import type { EventOf, LoopEvent, Recorded } from '../../machines/events.ts';
import type { CatalogueEntry } from '../../machines/index.ts';
import type { Opening } from '../../machines/life.ts';
import { type MachineSnapshot, refusal } from '../runtime/step.ts';

type Machine = CatalogueEntry['machine'];

/** A search that has looked at more states than this has been given nothing that makes them the same. */
const MAX_VISITS = 100_000;

export interface Exploration {
  readonly machine: Machine;
  readonly started: Recorded<EventOf<'run.started'>>;
  /** What may happen next. Events that the state refuses are passed over. */
  readonly events: (snapshot: MachineSnapshot) => readonly LoopEvent[];
  /** What makes a state another one. Leave counters out, or the search finds no end. */
  readonly distinguish: (snapshot: MachineSnapshot) => string;
}

/** A shortest way to one state: the events after `run.started`. */
export interface Path {
  readonly place: string;
  readonly events: readonly LoopEvent[];
}

/**
 * The shortest way to every state that a machine can reach by the events on offer.
 *
 * Each event is offered with the time and version of `started`. Throws when more than 100,000 states were visited.
 *
 * @example
 * const paths = shortestPaths({ machine: turn, started, events: () => candidates, distinguish: placeOf });
 * const way = paths.find(({ place }) => place === 'tools.awaitingPerson')?.events;
 */
export function shortestPaths({ machine, started, events, distinguish }: Exploration): Path[] {
  const { at, version } = started;
  const paths = getShortestPaths(machine, {
    input: { started } satisfies Opening,
    events: (snapshot: MachineSnapshot) =>
      events(snapshot)
        .map((event): Recorded<LoopEvent> => ({ ...event, at, version }))
        .filter((event) => refusal(snapshot, event) === null),
    serializeState: distinguish,
    limit: MAX_VISITS,
  });
  return paths.map(({ state, steps }) => ({
    place: placeOf(state),
    events: steps.slice(1).map(({ event }) => plain(event as Recorded<LoopEvent>)),
  }));
}

function plain({ at: _at, version: _version, ...event }: Recorded<LoopEvent>): LoopEvent {
  return event;
}

/** Where a machine stands, as one word: `tools.running`, `decide.ending.farewell`, `success`. */
export const placeOf = (snapshot: MachineSnapshot): string => wordsOf(snapshot.value);

function wordsOf(value: MachineSnapshot['value']): string {
  if (typeof value === 'string') return value;
  return Object.entries(value)
    .map(([name, inner]) => (inner === undefined ? name : `${name}.${wordsOf(inner)}`))
    .join('|');
}

/** Every innermost place of a chart, whether or not anything leads there. */
export function placesOf(machine: Machine): string[] {
  const within = (node: Machine['root']): string[] => {
    const inner = Object.values(node.states);
    return inner.length === 0 ? [node.path.join('.')] : inner.flatMap(within);
  };
  return within(machine.root);
}
