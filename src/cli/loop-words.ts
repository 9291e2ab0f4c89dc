import type { LoopDefinition } from '../runtime/loop-definition.ts';

/** What people call the rounds of a loop, and the runs that perform them. */
export interface LoopWords {
  readonly round: string;
  readonly child: string;
}

type Described = Pick<LoopDefinition, 'describe'> | null | undefined;

/** The words of a loop; plain ones where it is not known here, or says nothing. */
export const wordsOf = (loop: Described): LoopWords => ({
  round: loop?.describe.round ?? 'round',
  child: loop?.describe.child ?? 'run',
});

/** Whether each of its rounds is worth a headline, with what it comes to below. */
export const hasHeadlines = (loop: Described): boolean => loop != null && loop.describe.rows !== false;
