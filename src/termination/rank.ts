import type { RunState } from '../runtime/fold.ts';
import { iterationRanking } from './iteration-ranking.ts';
import { type Ranking, sumOf } from '../runtime/ranking.ts';
import { turnRanking } from './turn-ranking.ts';

/** The rankings of the loops that ship, by the id of their machine. */
export const rankings: Readonly<Record<string, Ranking>> = { 'turn@1': turnRanking, 'iteration@1': iterationRanking };

/**
 * How many more events a run can take at most without input from outside. Infinity where nothing bounds it.
 *
 * Throws for a loop that nobody has ranked: hand in its ranking.
 *
 * @example
 * rankOf(state); // 341
 * rankOf(stateOfMyLoop, myRanking);
 */
export function rankOf(state: RunState, ranking: Ranking = rankingOf(state.entry.id)): number {
  return sumOf(ranking.left(state));
}

export function rankingOf(machine: string): Ranking {
  const ranking = rankings[machine];
  if (ranking) return ranking;
  const known = Object.keys(rankings).join(', ');
  throw new Error(`nobody has ranked ${machine}; known: ${known}. Hand in a ranking of your own.`);
}
