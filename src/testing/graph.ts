import { getShortestPaths, getSimplePaths } from '@xstate/graph';
import type { EventOf, LoopEvent } from '../../machines/events.ts';
import type { CatalogueEntry } from '../../machines/index.ts';
import { arrowsOf } from '../charts/arrows.ts';
import { enteredBy, pathOf } from '../charts/nodes.ts';
import {
  after,
  begun,
  closedOf,
  idsTaken,
  type SearchState,
  offered,
  signatureOf,
  takes,
  tracedAfter,
} from './search-state.ts';
import type { ProofEnvironment } from './proof-environment.ts';

/** More arrows than this mean that the search never recognises a state as visited. */
const MAX_VISITS = 100_000;

export interface Path {
  /** The events after `run.started`. */
  readonly events: readonly LoopEvent[];
  readonly end: SearchState;
}

export interface Exploration {
  /** The shortest path to every distinct state. */
  readonly paths: readonly Path[];
  /** By transition id, the shortest path that takes it. A closed transition refuses the last event of its path. */
  readonly taking: ReadonlyMap<string, Path>;
}

/**
 * Finds every state that a run with this opening can reach by the events of its environment, shortest paths first.
 *
 * Throws after 100,000 arrows.
 *
 * @example
 * const { paths, taking } = explore(loop, environment, environment.openings['short']);
 * const events = taking.get('decide.aborting always 0')?.events;
 */
export function explore(
  loop: CatalogueEntry,
  environment: ProofEnvironment,
  opening: EventOf<'run.started'>,
): Exploration {
  const arrows = new Map<string, Happens>();
  const note = (from: SearchState, event: LoopEvent, ids: readonly string[]): void => {
    for (const id of ids) if (!arrows.has(id)) arrows.set(id, { from, event });
  };
  const closed = closedOf(loop);
  const meeting = new Set(closed.values());
  const signature = remembered((node: SearchState) => signatureOf(environment, node));
  const start = begun(loop, opening);
  const ends = remembered<SearchState, Map<LoopEvent, SearchState>>(() => new Map());
  const run: Walkable = {
    getInitialSnapshot: () => start,
    transition: (node, event) => {
      const { end, ids } = tracedAfter(node, event);
      note(node, event, ids);
      ends(node).set(event, end);
      return end;
    },
  };
  const events = (node: SearchState): readonly LoopEvent[] =>
    offered(environment, node).filter((event) => {
      const isTaken = takes(node, event);
      if (!isTaken && meeting.has(event.type))
        note(
          node,
          event,
          idsTaken(node, event).filter((id) => closed.has(id)),
        );
      return isTaken;
    });
  const found = getShortestPaths(run as never, { events, serializeState: signature, limit: MAX_VISITS } as never);
  const eventsTo = new Map(
    (found as readonly unknown[] as readonly Found[]).map((path) => [signature(path.state), eventsOf(path)]),
  );
  const walked = (events: readonly LoopEvent[]): Path => ({
    events,
    // Paths share their beginnings: they are not folded again.
    end: events.reduce((node, event) => ends(node).get(event) ?? afterLast(node, event), start),
  });
  const pathTo = ({ from, event }: Happens): Path => walked([...(eventsTo.get(signature(from)) ?? []), event]);
  return {
    paths: [...eventsTo.values()].map(walked),
    taking: new Map([...arrows].map(([id, arrow]) => [id, pathTo(arrow)])),
  };
}

interface Happens {
  readonly from: SearchState;
  readonly event: LoopEvent;
}

/** What @xstate/graph needs of a graph. Its own types know actors only. */
interface Walkable {
  readonly getInitialSnapshot: () => SearchState;
  readonly transition: (node: SearchState, event: LoopEvent) => SearchState;
}

/** The steps may hold other states with the same signatures: only the events make the path. */
interface Found {
  readonly state: SearchState;
  readonly steps: readonly { readonly event: LoopEvent }[];
}

const eventsOf = ({ steps }: Found): readonly LoopEvent[] => steps.slice(1).map(({ event }) => event);

/** An event that meets a closed transition changes nothing. */
const afterLast = (node: SearchState, event: LoopEvent): SearchState =>
  takes(node, event) ? after(node, event) : node;

function remembered<From extends object, To>(make: (from: From) => To): (from: From) => To {
  const made = new WeakMap<From, { readonly to: To }>();
  return (from) => {
    const known = made.get(from) ?? { to: make(from) };
    made.set(from, known);
    return known.to;
  };
}

/** The number of paths through a chart, guards ignored. */
export interface SimplePaths {
  /** Paths from the initial state that visit no state twice. */
  readonly paths: number;
  /** Paths whose last arrow leads back to a visited state. */
  readonly returns: number;
  /** Paths whose last arrow stays in its state, or is closed. */
  readonly stays: number;
}

/**
 * Counts the paths through a chart. Each arrow from a reachable state increases one of the numbers.
 *
 * @example
 * simplePaths(machine); // { paths: 61, returns: 113, stays: 724 }
 */
export function simplePaths(machine: CatalogueEntry['machine']): SimplePaths {
  const arrows = Map.groupBy(arrowsOf(machine), ({ from }) => from);
  const from = (place: string): readonly Step[] => (arrows.get(place) ?? []).map(({ id, to }) => ({ type: id, to }));
  const start = enteredBy(machine.root).map(pathOf).join('|');
  const chart: Chart = { getInitialSnapshot: () => start, transition: (place, { to }) => to ?? place };
  const found = getSimplePaths(chart as never, { events: from, serializeState: (place: string) => place } as never);
  const ends = (found as readonly unknown[] as readonly Walked[]).map(({ state, steps }) => {
    const been = new Set<string | null>([...steps.map((step) => step.state), state]);
    const on = from(state);
    return { returns: on.filter(({ to }) => been.has(to)).length, stays: on.filter(({ to }) => to === null).length };
  });
  const sum = (count: (end: { returns: number; stays: number }) => number): number =>
    ends.reduce((all, end) => all + count(end), 0);
  return { paths: ends.length, returns: sum(({ returns }) => returns), stays: sum(({ stays }) => stays) };
}

interface Walked {
  readonly state: string;
  readonly steps: readonly { readonly state: string }[];
}

interface Step {
  readonly type: string;
  readonly to: string | null;
}

interface Chart {
  readonly getInitialSnapshot: () => string;
  readonly transition: (place: string, step: Step) => string;
}
