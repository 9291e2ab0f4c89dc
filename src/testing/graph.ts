import { getSimplePaths } from '@xstate/graph';
import type { EventOf, LoopEvent } from '../../machines/events.ts';
import type { CatalogueEntry } from '../../machines/index.ts';
import { arrowsOf, enteredBy, pathOf } from '../charts/transitions.ts';
import { begun, closedOf, idsMet, type SearchState, offered, signatureOf, takes, tracedAfter } from './search-state.ts';
import type { ProofEnvironment } from './proof-environment.ts';

/** More arrows than this mean that the search never recognises a state as visited. */
const MAX_VISITS = 100_000;
const NEVER_DONE = `the search has met ${MAX_VISITS} arrows: what the environment offers leads to ever new states`;

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
  const closed = closedOf(loop);
  const meeting = new Set(closed.values());
  const taking = new Map<string, Path>();
  const note = (path: Path, ids: readonly string[]): void => {
    for (const id of ids) if (!taking.has(id)) taking.set(id, path);
  };
  /** What leads on from a state. An event that meets a closed transition changes nothing. */
  const accepted = (from: Path): readonly LoopEvent[] =>
    offered(environment, from.end).filter((event) => {
      if (takes(from.end, event)) return true;
      if (meeting.has(event.type)) {
        const met = idsMet(from.end, event).filter((id) => closed.has(id));
        note({ events: [...from.events, event], end: from.end }, met);
      }
      return false;
    });
  const start = begun(loop, opening);
  const seen = new Set([signatureOf(environment, start)]);
  const paths: Path[] = [{ events: [], end: start }];
  let arrows = 0;
  // What is found while they are walked is walked after them: the nearest first.
  for (const from of paths) {
    for (const event of accepted(from)) {
      arrows += 1;
      if (arrows > MAX_VISITS) throw new Error(NEVER_DONE);
      const { end, ids } = tracedAfter(from.end, event);
      const path = { events: [...from.events, event], end };
      note(path, ids);
      const signature = signatureOf(environment, end);
      if (seen.has(signature)) continue;
      seen.add(signature);
      paths.push(path);
    }
  }
  return { paths, taking };
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
