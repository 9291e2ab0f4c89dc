import type { RunState } from './fold.ts';

/** How many events of each kind a run can still take without input from outside. */
export type Left = Readonly<Record<string, number>>;

/** What falls where only input from outside takes a transition. */
export const OUTSIDE = 'outside';

/** Why the runs of a loop end. */
export interface Ranking {
  /** Natural numbers; Infinity where nothing bounds them. An event that is no input from outside makes their sum fall. */
  readonly left: (state: RunState) => Left;
  /**
   * What falls on a transition, by its id: one of the kinds in `left`, or OUTSIDE where only input from outside takes it.
   * Every cycle of the chart has such a transition.
   */
  readonly falls: Readonly<Record<string, string>>;
  /** Types of events of the loop's own that are input from outside. */
  readonly outside?: readonly string[];
}

export const sumOf = (left: Left): number => Object.values(left).reduce((sum, many) => sum + many, 0);
