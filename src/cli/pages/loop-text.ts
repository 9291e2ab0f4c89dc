import type { Limits } from '../../../machines/settings.ts';
import { LIMIT_OF } from '../../budget/limit-use.ts';
import type { LoopDefinition } from '../../kernel/loop-definition.ts';

/** The words for a loop's rounds, and for the runs that perform them. */
export interface LoopWords {
  readonly round: string;
  readonly child: string;
}

type Known = LoopDefinition | null | undefined;

/** A loop's words; general ones for an unknown loop. */
export const wordsOf = (loop: Known): LoopWords => ({
  round: loop?.describe.round ?? 'round',
  child: loop?.describe.child ?? 'run',
});

/** Whether each of its rounds has a headline with its lines below. */
export const hasHeadlines = (loop: Known): boolean => loop != null && loop.describe.rows !== false;

/** How many rounds it may have, by the limits in force; null without a limit. */
export const mostRounds = (loop: Known, limits: Limits): number | null =>
  limits[LIMIT_OF[loop?.rounds.limit ?? 'iterations']];
