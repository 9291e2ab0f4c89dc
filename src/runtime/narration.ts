import type { AnyEvent } from '../../machines/events.ts';
import type { FactOf } from './cast.ts';

/**
 * Tells a person who watches a run what its loop's own facts say, while they are recorded. Each run has one of its own, which
 * may keep what later facts only refer to: a call, by its id.
 *
 * @example
 * narration: () => ({
 *   tell: ({ type, payload }: ReviewedEvent) => (type === 'review.given' ? { lines: [{ rest: [payload.remark] }] } : null),
 * }),
 */
export interface Narration {
  /** Sees every fact of its run once, in order. Null: a fact of every loop, which is told as it is everywhere. */
  tell(fact: FactOf<AnyEvent>): Told | null;
}

export interface Told {
  readonly lines?: readonly Line[];
  /** What the run waits for now, or no longer. */
  readonly waits?: readonly Wait[];
}

/** One line, which may be completed by a later fact. */
export interface Line {
  /** What it begins with. It is not printed again where it is the last thing that was. */
  readonly opening?: readonly Piece[];
  /** Null: still to come. */
  readonly rest: readonly Piece[] | null;
}

/** A part of a line, and what it is: how that looks is for those to say who print it. */
export type Piece = string | { readonly text: string; readonly tone: Tone };
export type Tone = 'strong' | 'quiet' | 'subject' | 'news' | 'good' | 'warning' | 'error';

/** `only`: this, and nothing else any more. `also`: this too, under a key. `over`: what had this key; without one, everything. */
export type Wait =
  | { readonly kind: 'only'; readonly what: string }
  | { readonly kind: 'also'; readonly key: string; readonly what: string }
  | { readonly kind: 'over'; readonly key?: string };
