import type { LoopEvent } from '../../machines/events.ts';
import type { RunSettings } from '../../machines/settings.ts';
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
  /** Events of the loop's own that are input from outside: each by its type, or by a test of the event. */
  readonly outside?: readonly (string | ((event: LoopEvent) => boolean))[];
  /** What the kinds in `left` count, in words. Those of every loop have theirs. */
  readonly means?: Readonly<Record<string, string>>;
  /** The runs below one with these settings. `begun`: a run of this loop as it begins. Absent: it opens none. */
  readonly below?: (settings: RunSettings, begun: (settings: RunSettings) => RunState) => Below;
}

/** What the runs below a run come to at most. */
export type Below =
  /** One such run each round. */
  | { readonly kind: 'one a round'; readonly settings: RunSettings }
  /** So many runs and events, its own events included. */
  | { readonly kind: 'in all'; readonly runs: number; readonly events: number };

export const sumOf = (left: Left): number => Object.values(left).reduce((sum, many) => sum + many, 0);
