import type { LoopDefinition } from '../runtime/loop-definition.ts';
import type { RunState } from '../runtime/fold.ts';
import { type Ranking, sumOf } from '../runtime/ranking.ts';

/**
 * How many more events a run can take at most without input from outside. Infinity where nothing bounds it.
 *
 * @example
 * rankOf(state, rankingOf(loop)); // 341
 */
export const rankOf = (state: RunState, ranking: Ranking): number => sumOf(ranking.left(state));

/** Why the runs of a loop end. Throws for one that does not say it. */
export function rankingOf({ id, ranking }: Pick<LoopDefinition, 'id' | 'ranking'>): Ranking {
  if (ranking) return ranking;
  throw new Error(`${id} does not say why its runs end: add a \`ranking\` to its definition`);
}
