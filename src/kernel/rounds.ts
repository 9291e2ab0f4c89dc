import type { AnyEvent, Reservation, Share } from '../../machines/events.ts';
import type { Life } from '../../machines/life.ts';
import type { ReachedLimit } from '../../machines/outcome.ts';

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
