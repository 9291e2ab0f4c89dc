import type { LoopEvent, AnyEvent, Reservation, Share } from '../../machines/events.ts';
import type { RunSettings } from '../../machines/settings.ts';
import type { RunState } from './fold.ts';
import type { Life } from '../../machines/life.ts';
import type { ReachedLimit } from '../../machines/outcome.ts';

/** How many events of each kind a run can still take without external input. */
export type Left = Readonly<Record<string, number>>;

/** The kind of a transition that only external input takes. */
export const OUTSIDE = 'outside';

/** Why the runs of a loop end. */
export interface Ranking {
  /**
   * Natural numbers; Infinity where nothing bounds them. Every event that is not external input lowers their sum.
   */
  readonly left: (state: RunState) => Left;
  /**
   * The kind that a transition lowers, by its id: one of the kinds in `left`, or OUTSIDE where only external input
   * takes it. Every cycle of the chart has such a transition.
   */
  readonly falls: Readonly<Record<string, string>>;
  /** The loop's own events that are external input: each by its type, or by a test of the event. */
  readonly outside?: readonly (string | ((event: LoopEvent) => boolean))[];
  /** What the kinds in `left` count, as text. Kinds of every loop need no entry. */
  readonly means?: Readonly<Record<string, string>>;
  /** What bounds the rounds of a run where its limit on them does not: its maximum may rise. Null: that limit does. */
  readonly ceiling?: (begun: RunState) => Ceiling | null;
  /** The runs below one with these settings. `begun`: a run of this loop as it begins. Absent: it opens none. */
  readonly below?: (settings: RunSettings, begun: (settings: RunSettings) => RunState) => Below;
}

/** What bounds the rounds of a run that may have more of them than its maximum. */
export interface Ceiling {
  /** The option that sets it. */
  readonly name: string;
  readonly rounds: number;
  /** Why the maximum does not bound them, as a clause. */
  readonly because: string;
}

/** An upper bound of the runs below a run. */
export type Below =
  /** One such run each round. */
  | { readonly kind: 'one a round'; readonly settings: RunSettings }
  /** At most this many runs and events, its own events included. */
  | { readonly kind: 'in all'; readonly runs: number; readonly events: number };

export const sumOf = (left: Left): number => Object.values(left).reduce((sum, many) => sum + many, 0);

/** The rounds of a loop: steps, iterations. */
export interface Rounds {
  /** The type of the fact that begins one. It is recorded together with the decision that asks for it. */
  readonly started: string;
  begin(context: Life, how: { readonly at: string; readonly reserved: Share | Reservation | null }): AnyEvent;
  /** How many have begun. */
  count(context: Life): number;
  /**
   * How many count against the limits of rounds, tokens and time, where children's rounds count too. Default: `count`.
   */
  used?(context: Life): number;
  /** Counters in the context that are set to 0 by each round, beside `warnings`. */
  readonly counters?: readonly string[];
  /**
   * How many may run, where the loop's own events change that: it takes the place of the cap on pages, and a strategy
   * is given no cap. Null: no limit. Default: the cap.
   */
  most?(context: Life): number | null;
  /**
   * The round that runs (1-based) and how many may run, in the numbers that people know, where they can change those in
   * a file. Default: `count` and `most`.
   */
  shown?(context: Life): { readonly iteration: number; readonly maximum: number };
  /** The cap that bounds them. */
  readonly limit: Extract<ReachedLimit['name'], 'steps' | 'iterations'>;
}
