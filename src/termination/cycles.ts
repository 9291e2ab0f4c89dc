import type { CatalogueEntry } from '../../machines/index.ts';
import { type StateNode, transitionsOf } from '../charts/transitions.ts';
import type { Ranking } from './ranking.ts';

type Machine = CatalogueEntry['machine'];
type Falls = Ranking['falls'];

/** One transition as it leads from one innermost place to another. */
interface Arrow {
  readonly id: string;
  readonly from: string;
  readonly to: string;
}

/** A shortest way round a chart by certain transitions, and what falls on each of them. */
export interface Cycle {
  /** The first is where it leads back to. */
  readonly places: readonly string[];
  readonly transitions: readonly string[];
  readonly falls: string;
}

/** The cycles that the transitions on which something falls close: one each, those that are alike together. */
export function cyclesOf(machine: Machine, falls: Falls): Cycle[] {
  const arrows = arrowsOf(machine);
  const closed = Object.entries(falls).flatMap(([id, kind]) => {
    const ways = arrows.filter((arrow) => arrow.id === id).flatMap((arrow) => wayRound(arrow, arrows));
    const [shortest] = ways.toSorted(byLength);
    return shortest ? [{ places: shortest, transitions: [id], falls: kind }] : [];
  });
  const alike = Map.groupBy(closed, (one) => [one.falls, ...one.transitions.map(sourceOf), ...one.places].join(' '));
  return [...alike.values()].flatMap((those) => {
    const transitions = those.flatMap((one) => one.transitions);
    return those.slice(0, 1).map((one) => ({ ...one, transitions }));
  });
}

/**
 * The places that lie on a cycle, or lead to one, on which nothing falls. None: whatever a run does, something falls again
 * and again.
 *
 * @example
 * endlessPlaces(turn, turnRanking.falls); // []
 */
export function endlessPlaces(machine: Machine, falls: Falls): string[] {
  let left = arrowsOf(machine).filter(({ id }) => falls[id] === undefined);
  for (;;) {
    const leads = new Set(left.map(({ from }) => from));
    const still = left.filter(({ to }) => leads.has(to));
    if (still.length === left.length) return [...leads];
    left = still;
  }
}

/** The state that a transition leaves, as its id says it. */
export const sourceOf = (id: string): string => id.split(' ', 1)[0] ?? id;

const byLength = (one: readonly string[], other: readonly string[]) => one.length - other.length;

function arrowsOf(machine: Machine): Arrow[] {
  const open = transitionsOf(machine).filter(({ to, actions }) => to.length > 0 || actions.length > 0);
  return open.flatMap(({ id, from, to }) =>
    innermost(from).flatMap((place) => {
      const targets = to.length === 0 ? [place] : to.flatMap(entered);
      return targets.map((target) => ({ id, from: nameOf(place), to: nameOf(target) }));
    }),
  );
}

/** The places inside a state that a run can leave. */
function innermost(node: StateNode): StateNode[] {
  if (node.type === 'final') return [];
  const inner = Object.values(node.states);
  return inner.length === 0 ? [node] : inner.flatMap(innermost);
}

/** Where a run comes to stand when a state is entered. */
function entered(node: StateNode): StateNode[] {
  if (node.type === 'parallel') return Object.values(node.states).flatMap(entered);
  return node.type === 'compound' ? node.initial.target.flatMap(entered) : [node];
}

const nameOf = ({ path }: StateNode): string => path.join('.');

/** The shortest way from where an arrow leads to where it starts, by the places on it; none where there is no way back. */
function wayRound({ from, to }: Arrow, arrows: readonly Arrow[]): string[][] {
  const ways = new Map([[to, [to]]]);
  for (const [place, way] of ways) {
    if (place === from) return [[from, ...way.slice(0, -1)]];
    for (const next of arrows) if (next.from === place && !ways.has(next.to)) ways.set(next.to, [...way, next.to]);
  }
  return [];
}
