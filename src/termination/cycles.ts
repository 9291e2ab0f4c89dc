import type { CatalogueEntry } from '../../machines/index.ts';
import { type Arrow, arrowsOf } from '../charts/arrows.ts';
import { transitionsOf } from '../charts/transitions.ts';
import type { Ranking } from '../runtime/ranking.ts';

type Machine = CatalogueEntry['machine'];
type Falls = Ranking['falls'];

/** From one innermost place to another, or back to itself. */
interface Step extends Pick<Arrow, 'id' | 'from'> {
  readonly to: string;
}

/** A shortest way round a chart by certain transitions, and what falls on each of them. */
export interface Cycle {
  /** The first is where it leads back to. */
  readonly places: readonly string[];
  readonly transitions: readonly string[];
  readonly falls: string;
}

/** The cycles that the transitions on which something falls close: one each as the chart has them, those that are alike together. */
export function cyclesOf(machine: Machine, falls: Falls): Cycle[] {
  const steps = stepsOf(machine);
  const closed = transitionsOf(machine).flatMap(({ id }) => {
    const kind = falls[id];
    if (kind === undefined) return [];
    const ways = steps.filter((step) => step.id === id).flatMap((step) => wayRound(step, steps));
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
  let left = stepsOf(machine).filter(({ id }) => falls[id] === undefined);
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

const stepsOf = (machine: Machine): Step[] =>
  arrowsOf(machine).flatMap(({ id, from, to, isClosed }) => (isClosed ? [] : [{ id, from, to: to ?? from }]));

/** The shortest way from where a step leads to where it starts, by the places on it; none where there is no way back. */
function wayRound({ from, to }: Step, steps: readonly Step[]): string[][] {
  const ways = new Map([[to, [to]]]);
  for (const [place, way] of ways) {
    if (place === from) return [[from, ...way.slice(0, -1)]];
    for (const next of steps) if (next.from === place && !ways.has(next.to)) ways.set(next.to, [...way, next.to]);
  }
  return [];
}
