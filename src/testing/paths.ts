import type { EventOf, LoopEvent } from '../../machines/events.ts';
import type { CatalogueEntry } from '../../machines/index.ts';
import { pathOf, placesOf } from '../charts/nodes.ts';
import { transitionsOf } from '../charts/transitions.ts';
import { placeOf } from '../runtime/mark.ts';
import { explore, type Path } from './graph.ts';
import { wayAround } from './laps.ts';
import type { World } from './world.ts';

/** A shortest way to something. */
export interface Way {
  /** Which of the world's openings it begins with. */
  readonly opening: string;
  /** What happens after that. */
  readonly events: readonly LoopEvent[];
}

type Kind = 'places' | 'transitions' | 'actors';
type Names = Readonly<Record<Kind, readonly string[]>>;
type WaysTo = ReadonlyMap<string, Way>;

export interface Ways {
  /** To each innermost place, by its name. Where nothing rests, the way passes it. */
  readonly places: WaysTo;
  /** To each transition, by its id: the last event takes it, or is refused where it is closed. */
  readonly transitions: WaysTo;
  /** To the first start of each actor, by its name. */
  readonly actors: WaysTo;
  /** What the world leads to by no way: it is unreachable, or the world is too small. */
  readonly missing: Names;
}

/**
 * The shortest way to all there is in a loop, as its world opens and goes on: every place, every ending, every transition,
 * every actor. An opening is tried only where those before it leave something out.
 *
 * @example
 * const { transitions, missing } = waysThrough(loop, world);
 * const events = transitions.get('stream.asking model.limited 1')?.events;
 */
export function waysThrough(loop: CatalogueEntry, world: World): Ways {
  const ways = { places: new Map<string, Way>(), transitions: new Map<string, Way>(), actors: new Map<string, Way>() };
  const all = namesIn(loop);
  const missing = (): Names => ({
    places: all.places.filter((name) => !ways.places.has(name)),
    transitions: all.transitions.filter((name) => !ways.transitions.has(name)),
    actors: all.actors.filter((name) => !ways.actors.has(name)),
  });
  for (const [opening, started] of Object.entries(world.openings)) {
    const wanted = missing();
    if (Object.values(wanted).flat().length === 0) break;
    for (const { kind, name, events } of found(loop, world, started, wanted.transitions)) {
      if (!ways[kind].has(name)) ways[kind].set(name, { opening, events });
    }
  }
  return { ...ways, missing: missing() };
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

function* found(loop: CatalogueEntry, world: World, started: EventOf<'run.started'>, wanted: readonly string[]): Generator<Found> {
  const { paths, taking } = explore(loop, world, started);
  for (const { events, end } of paths) {
    yield { kind: 'places', name: placeOf(end.state.snapshot), events };
    for (const { actor } of end.state.outstanding) yield { kind: 'actors', name: actor, events };
  }
  const places = placesOf(loop.machine);
  for (const transition of transitionsOf(loop.machine)) {
    const { id, from } = transition;
    const path: Path | null = taking.get(id) ?? (wanted.includes(id) ? wayAround(world, paths, transition) : null);
    if (!path) continue;
    yield { kind: 'transitions', name: id, events: path.events };
    const place = pathOf(from);
    if (places.includes(place)) yield { kind: 'places', name: place, events: path.events };
  }
}
