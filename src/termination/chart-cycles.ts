import type { CatalogueEntry } from '../../machines/index.ts';
import { type Arrow, arrowsOf, transitionsOf } from '../charts/transitions.ts';
import type { Ranking } from '../kernel/loop-ranking.ts';

type Machine = CatalogueEntry['machine'];
type Falls = Ranking['falls'];

/** An arrow from one innermost state to another, or back to itself. */
interface Step extends Pick<Arrow, 'id' | 'from'> {
  readonly to: string;
}

/** A shortest cycle through certain transitions, and the part of the rank that falls on each of them. */
export interface Cycle {
  /** The states in order; the cycle leads back to the first. */
  readonly places: readonly string[];
  readonly transitions: readonly string[];
  readonly falls: string;
}

/**
 * For each transition on which the rank falls, a shortest cycle through it. Equal cycles are merged.
 */
export function cyclesOf(machine: Machine, falls: Falls): Cycle[] {
  const steps = stepsOf(machine);
  const closed = transitionsOf(machine).flatMap(({ id }) => {
    const kind = falls[id];
    if (kind === undefined) return [];
    const ways = steps.filter((step) => step.id === id).flatMap((step) => cycleThrough(step, steps));
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
 * The states on a cycle, or leading to a cycle, on which the rank does not fall. Empty: the rank falls again and again
 * in every run.
 *
 * @example
 * endlessPlaces(turn, turnRanking.falls); // []
 */
export function endlessPlaces(machine: Machine, falls: Falls): string[] {
  let left = stepsOf(machine).filter(({ id }) => falls[id] === undefined);
  for (;;) {
    const leads = new Set(left.map(({ from }) => from));
    const still = left.filter(({ to }) => leads.has(to));
    if (still.length === left.length) return [...leads];
    left = still;
  }
}

/** The source state in the id of a transition. */
export const sourceOf = (id: string): string => id.split(' ', 1)[0] ?? id;

const byLength = (one: readonly string[], other: readonly string[]) => one.length - other.length;

const stepsOf = (machine: Machine): Step[] =>
  arrowsOf(machine).flatMap(({ id, from, to, isClosed }) => (isClosed ? [] : [{ id, from, to: to ?? from }]));

/**
 * The shortest path from the target of a step back to its source, as states; empty where there is none.
 */
function cycleThrough({ from, to }: Step, steps: readonly Step[]): string[][] {
  const ways = new Map([[to, [to]]]);
  for (const [place, way] of ways) {
    if (place === from) return [[from, ...way.slice(0, -1)]];
    for (const next of steps) if (next.from === place && !ways.has(next.to)) ways.set(next.to, [...way, next.to]);
  }
  return [];
}
