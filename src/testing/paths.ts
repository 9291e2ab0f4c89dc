import type { EventOf, LoopEvent } from '../../machines/events.ts';
import type { CatalogueEntry } from '../../machines/index.ts';
import { pathOf, placesOf, transitionsOf } from '../charts/transitions.ts';
import { placeOf } from '../kernel/position.ts';
import { explore, type Path } from './graph.ts';
import { pathByRepeating } from './cycle-paths.ts';
import type { ProofEnvironment } from './proof-environment.ts';

/** A shortest path to a state, a transition or an actor. */
export interface OpenedPath {
  /** The environment's opening that it begins with. */
  readonly opening: string;
  /** The events after the opening. */
  readonly events: readonly LoopEvent[];
}

type Kind = 'places' | 'transitions' | 'actors';
type Names = Readonly<Record<Kind, readonly string[]>>;
type PathsTo = ReadonlyMap<string, OpenedPath>;

export interface ShortestPaths {
  /** To each innermost state, by name. A path only passes through a transient state. */
  readonly places: PathsTo;
  /** To each transition, by id: the last event takes it, or is refused where it is closed. */
  readonly transitions: PathsTo;
  /** To the first start of each actor, by name. */
  readonly actors: PathsTo;
  /** Names without a path: unreachable, or the environment offers too few events. */
  readonly missing: Names;
}

/**
 * Finds the shortest path to every state, ending, transition and actor of a loop in its environment. An opening is
 * tried only where the ones before it leave something out.
 *
 * @example
 * const { transitions, missing } = shortestPaths(loop, environment);
 * const events = transitions.get('stream.asking model.limited 1')?.events;
 */
export function shortestPaths(loop: CatalogueEntry, environment: ProofEnvironment): ShortestPaths {
  const paths = {
    places: new Map<string, OpenedPath>(),
    transitions: new Map<string, OpenedPath>(),
    actors: new Map<string, OpenedPath>(),
  };
  const all = namesIn(loop);
  const missing = (): Names => ({
    places: all.places.filter((name) => !paths.places.has(name)),
    transitions: all.transitions.filter((name) => !paths.transitions.has(name)),
    actors: all.actors.filter((name) => !paths.actors.has(name)),
  });
  for (const [opening, started] of Object.entries(environment.openings)) {
    const wanted = missing();
    if (Object.values(wanted).flat().length === 0) break;
    for (const { kind, name, events } of found(loop, environment, started, wanted.transitions)) {
      if (!paths[kind].has(name)) paths[kind].set(name, { opening, events });
    }
  }
  return { ...paths, missing: missing() };
}

const namesIn = ({ machine }: CatalogueEntry): Names => ({
  places: placesOf(machine),
  transitions: transitionsOf(machine).map(({ id }) => id),
  actors: Object.keys(machine.implementations.actors),
});

interface Found {
  readonly kind: Kind;
  readonly name: string;
  readonly events: readonly LoopEvent[];
}

function* found(
  loop: CatalogueEntry,
  environment: ProofEnvironment,
  started: EventOf<'run.started'>,
  wanted: readonly string[],
): Generator<Found> {
  const { paths, taking } = explore(loop, environment, started);
  for (const { events, end } of paths) {
    yield { kind: 'places', name: placeOf(end.state.snapshot), events };
    for (const { actor } of end.state.outstanding) yield { kind: 'actors', name: actor, events };
  }
  const places = placesOf(loop.machine);
  for (const transition of transitionsOf(loop.machine)) {
    const { id, from } = transition;
    const path: Path | null =
      taking.get(id) ?? (wanted.includes(id) ? pathByRepeating(environment, paths, transition) : null);
    if (!path) continue;
    yield { kind: 'transitions', name: id, events: path.events };
    const place = pathOf(from);
    if (places.includes(place)) yield { kind: 'places', name: place, events: path.events };
  }
}
