import { getShortestPaths, getSimplePaths } from '@xstate/graph';
import type { EventOf, LoopEvent } from '../../machines/events.ts';
import type { CatalogueEntry } from '../../machines/index.ts';
import { arrowsOf } from '../charts/arrows.ts';
import { enteredBy, pathOf } from '../charts/nodes.ts';
import { after, begun, closedOf, idsTaken, type Moment, offered, situationOf, takes } from './moment.ts';
import type { World } from './world.ts';

/** A search that has looked at more arrows than this has been given nothing that makes two states the same. */
const MAX_VISITS = 100_000;

export interface Path {
  /** The events after `run.started`. */
  readonly events: readonly LoopEvent[];
  readonly end: Moment;
}

export interface Exploration {
  /** The shortest way to every situation. */
  readonly paths: readonly Path[];
  /** The shortest way that takes a transition, by its id; one that is closed refuses the last event. */
  readonly taking: ReadonlyMap<string, Path>;
}

/**
 * Everywhere that a run which is opened so can get to, the shortest way first: what happens is what its world offers.
 *
 * Throws when more than 100,000 arrows were looked at.
 *
 * @example
 * const { paths, taking } = explore(loop, world, world.openings['short']);
 * const way = taking.get('decide.aborting always 0')?.events;
 */
export function explore(loop: CatalogueEntry, world: World, opening: EventOf<'run.started'>): Exploration {
  const arrows = new Map<string, Happens>();
  const note = (from: Moment, event: LoopEvent, ids: readonly string[]): void => {
    for (const id of ids) if (!arrows.has(id)) arrows.set(id, { from, event });
  };
  const closed = closedOf(loop);
  const meeting = new Set(closed.values());
  const situation = remembered((moment: Moment) => situationOf(world, moment));
  const run: Walkable = {
    getInitialSnapshot: () => begun(loop, opening),
    transition: (moment, event) => {
      note(moment, event, idsTaken(moment, event));
      return after(moment, event);
    },
  };
  const events = (moment: Moment): readonly LoopEvent[] =>
    offered(world, moment).filter((event) => {
      const isTaken = takes(moment, event);
      if (!isTaken && meeting.has(event.type)) note(moment, event, idsTaken(moment, event).filter((id) => closed.has(id)));
      return isTaken;
    });
  const found = getShortestPaths(run as never, { events, serializeState: situation, limit: MAX_VISITS } as never);
  const ways = new Map((found as readonly unknown[] as readonly Found[]).map((path) => [situation(path.state), eventsOf(path)]));
  const walked = (way: readonly LoopEvent[]): Path => ({ events: way, end: way.reduce(lastly, begun(loop, opening)) });
  const pathTo = ({ from, event }: Happens): Path => walked([...(ways.get(situation(from)) ?? []), event]);
  return {
    paths: [...ways.values()].map(walked),
    taking: new Map([...arrows].map(([id, arrow]) => [id, pathTo(arrow)])),
  };
}

interface Happens {
  readonly from: Moment;
  readonly event: LoopEvent;
}

/** What the search needs of something that can be walked. Its own types know actors only. */
interface Walkable {
  readonly getInitialSnapshot: () => Moment;
  readonly transition: (moment: Moment, event: LoopEvent) => Moment;
}

/** The states of its steps may be other ones of the same situations: only the events are a way. */
interface Found {
  readonly state: Moment;
  readonly steps: readonly { readonly event: LoopEvent }[];
}

const eventsOf = ({ steps }: Found): readonly LoopEvent[] => steps.slice(1).map(({ event }) => event);

/** A closed transition is met by an event that changes nothing. */
const lastly = (moment: Moment, event: LoopEvent): Moment => (takes(moment, event) ? after(moment, event) : moment);

function remembered<From extends object, To>(make: (from: From) => To): (from: From) => To {
  const made = new WeakMap<From, { readonly to: To }>();
  return (from) => {
    const known = made.get(from) ?? { to: make(from) };
    made.set(from, known);
    return known.to;
  };
}

/** How many ways there are through a chart, guards aside. */
export interface SimplePaths {
  /** Those that come to no place twice, from the beginning to wherever they are. */
  readonly paths: number;
  /** Those that do so with their last arrow. */
  readonly returns: number;
  /** Those at whose end something is taken, or refused, that leads nowhere else. */
  readonly stays: number;
}

/**
 * Counts the ways through a chart. Each arrow from a place that can be reached makes one of the numbers larger.
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
  const sum = (count: (end: { returns: number; stays: number }) => number): number => ends.reduce((all, end) => all + count(end), 0);
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
