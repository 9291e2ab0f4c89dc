import type { LoopDefinition } from '../kernel/loop-definition.ts';
import type { RunState } from '../kernel/fold.ts';
import { type Ranking, sumOf } from '../kernel/loop-ranking.ts';

/**
 * The most events that a run can still take without external input. Infinity where nothing bounds it.
 *
 * @example
 * rankOf(state, rankingOf(loop)); // 341
 */
export const rankOf = (state: RunState, ranking: Ranking): number => sumOf(ranking.left(state));

/** The ranking of a loop. Throws where its definition has none. */
export function rankingOf({ id, ranking }: Pick<LoopDefinition, 'id' | 'ranking'>): Ranking {
  if (ranking) return ranking;
  throw new Error(`${id} does not say why its runs end: add a \`ranking\` to its definition`);
}
