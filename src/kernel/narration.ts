import type { AnyEvent } from '../../machines/events.ts';
import type { FactOf } from './effect-handlers.ts';

/**
 * Describes a loop's own facts to a person who watches a run, while they are recorded. Each run has one of its own,
 * which may keep what later facts only refer to: a call, by its id.
 *
 * @example
 * narration: () => ({
 *   tell: ({ type, payload }: ReviewedEvent) =>
 *     type === 'review.given' ? { lines: [{ rest: [payload.remark] }] } : null,
 * }),
 */
export interface Narration {
  /** Called with every fact of its run once, in order. Null: a fact of every loop, described as for every loop. */
  tell(fact: FactOf<AnyEvent>): Told | null;
}

export interface Told {
  readonly lines?: readonly Line[];
  /** The same with texts to their end, for readers that are no terminal and users who ask for more. */
  readonly whole?: readonly Line[];
  /** What comes after, for users who ask for more. */
  readonly detail?: readonly Line[];
  /** What the run waits for from now on, or no longer. */
  readonly waits?: readonly Wait[];
}

/** One line, which may be completed by a later fact. */
export interface Line {
  /** The beginning. It is not printed again once it was printed. */
  readonly opening?: readonly Piece[];
  /** Null: still to come. */
  readonly rest: readonly Piece[] | null;
  /**
   * Names something that runs: `begun` is printed where no status line shows what runs, and `done` where one has shown
   * it. Absent: printed everywhere.
   */
  readonly names?: 'begun' | 'done';
}

/** A part of a line, and its meaning: the printer chooses how that looks. */
export type Piece = string | { readonly text: string; readonly tone: Tone };
export type Tone = 'strong' | 'quiet' | 'subject' | 'news' | 'good' | 'warning' | 'error';

/**
 * `only`: the run waits for this, and for nothing else any more; `until` (RFC 3339): up to then, where that is known.
 * `also`: for this too, under a key. `over`: no longer for what has this key; without a key, for nothing.
 */
export type Wait =
  | { readonly kind: 'only'; readonly what: string; readonly until?: string }
  | { readonly kind: 'also'; readonly key: string; readonly what: string }
  | { readonly kind: 'over'; readonly key?: string };
