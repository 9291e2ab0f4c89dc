import type { CatalogueEntry } from '../../machines/index.ts';
import { transitionId, transitionsOf } from '../charts/transitions.ts';
import { taken } from '../kernel/step.ts';
import { closedOf } from './search-state.ts';
import type { RandomWalk } from './random-walk.ts';

/** Which transitions of a loop were taken by a set of runs. */
export interface Coverage {
  /** The number of runs. */
  readonly runs: number;
  /** For every transition, the number of runs that took it, or in which a closed one refused an event. */
  readonly inRuns: ReadonlyMap<string, number>;
  /** The first run that took it, counted from 1. */
  readonly first: ReadonlyMap<string, number>;
  /** Transitions that no run took. */
  readonly untaken: readonly string[];
}

/**
 * Measures how well runs cover the transitions of their loop. `untilAll`: stops once every transition was taken.
 *
 * @example
 * const { untaken } = coverage(loop, runs);
 * if (untaken.length > 0) throw new Error(`no run takes ${untaken.join(', ')}`);
 */
export function coverage(loop: CatalogueEntry, runs: Iterable<RandomWalk>, { untilAll = false } = {}): Coverage {
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

function takenIn(
  { machine }: CatalogueEntry,
  closed: ReadonlyMap<string, string | null>,
  { happenings, refused }: RandomWalk,
): Set<string> {
  const ids = happenings.flatMap(({ before, event }) => taken(machine, before.snapshot, event).map(transitionId));
  const meeting = new Set(closed.values());
  const met = refused.filter(({ at, event }) => at.snapshot.status === 'active' && meeting.has(event.type));
  const refusals = met
    .flatMap(({ at, event }) => taken(machine, at.snapshot, event).map(transitionId))
    .filter((id) => closed.has(id));
  return new Set([...ids, ...refusals]);
}
