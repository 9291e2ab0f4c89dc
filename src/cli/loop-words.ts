import type { Limits } from '../../machines/settings.ts';
import { LIMIT_OF } from '../budget/reached.ts';
import type { LoopDefinition } from '../runtime/loop-definition.ts';

/** What people call the rounds of a loop, and the runs that perform them. */
export interface LoopWords {
  readonly round: string;
  readonly child: string;
}

type Known = LoopDefinition | null | undefined;

/** The words of a loop; plain ones where it is not known here, or says nothing. */
export const wordsOf = (loop: Known): LoopWords => ({ round: loop?.describe.round ?? 'round', child: loop?.describe.child ?? 'run' });

/** Whether each of its rounds is worth a headline, with what it comes to below. */
export const hasHeadlines = (loop: Known): boolean => loop != null && loop.describe.rows !== false;

/** How many rounds it may have; null where no limit is set. */
export const mostRounds = (loop: Known, limits: Limits): number | null => limits[LIMIT_OF[loop?.rounds.limit ?? 'iterations']];
