import type { CatalogueEntry } from '../../machines/index.ts';
import { transitionId, transitionsOf } from '../charts/transitions.ts';
import { taken } from '../runtime/step.ts';
import { closedOf } from './moment.ts';
import type { Wandering } from './wander.ts';

/** What runs have taken of a loop's transitions. */
export interface Coverage {
  /** So many were looked at. */
  readonly runs: number;
  /** In how many of them each transition was taken, or refused an event where it is closed; none is left out. */
  readonly inRuns: ReadonlyMap<string, number>;
  /** Which run was the first that took it, counted from 1. */
  readonly first: ReadonlyMap<string, number>;
  /** Those that no run took. */
  readonly untaken: readonly string[];
}

/**
 * How well runs cover the transitions of their loop. `untilAll`: no run is looked at any more once all were taken.
 *
 * @example
 * const { untaken } = coverage(loop, runs);
 * if (untaken.length > 0) throw new Error(`no run takes ${untaken.join(', ')}`);
 */
export function coverage(loop: CatalogueEntry, runs: Iterable<Wandering>, { untilAll = false } = {}): Coverage {
  const inRuns = new Map(transitionsOf(loop.machine).map(({ id }) => [id, 0]));
  const first = new Map<string, number>();
  const closed = closedOf(loop);
  let count = 0;
  for (const run of runs) {
    count += 1;
    for (const id of takenIn(loop, closed, run)) {
      inRuns.set(id, (inRuns.get(id) ?? 0) + 1);
      if (!first.has(id)) first.set(id, count);
    }
    if (untilAll && first.size === inRuns.size) break;
  }
  return { runs: count, inRuns, first, untaken: [...inRuns.keys()].filter((id) => !first.has(id)) };
}

function takenIn({ machine }: CatalogueEntry, closed: ReadonlyMap<string, string | null>, { happenings, refused }: Wandering): Set<string> {
  const ids = happenings.flatMap(({ before, event }) => taken(machine, before.snapshot, event).map(transitionId));
  const meeting = new Set(closed.values());
  const met = refused.filter(({ at, event }) => at.snapshot.status === 'active' && meeting.has(event.type));
  const refusals = met.flatMap(({ at, event }) => taken(machine, at.snapshot, event).map(transitionId)).filter((id) => closed.has(id));
  return new Set([...ids, ...refusals]);
}
