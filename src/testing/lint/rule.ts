import type { LoopDefinition } from '../../kernel/loop-definition.ts';

/** A place that breaks a rule. */
export interface Found {
  /**
   * The place in the machine's config: `states.verify.on.review.given[0].guard`. Elsewhere: `setup.guards.isGood`,
   * `events`.
   */
  readonly place: string;
  /** What was found there. */
  readonly found: string;
}

/** One rule that every loop keeps. */
export interface Rule {
  readonly name: string;
  /** What to do, in one sentence. */
  readonly remedy: string;
  readonly offences: (loop: LoopDefinition) => readonly Found[];
}

/** A rule that a loop breaks: which rule, where, what was found, and what to do. */
export interface Offence extends Found {
  readonly rule: string;
  readonly remedy: string;
}
