import type { LoopDefinition } from '../../runtime/loop-definition.ts';

/** Something that a rule does not allow. */
export interface Found {
  /** Where in the machine's config: `states.verify.on.review.given[0].guard`. Beside it: `setup.guards.isGood`, `events`. */
  readonly place: string;
  /** What stands there. */
  readonly found: string;
}

/** One rule that every loop keeps. */
export interface Rule {
  readonly name: string;
  /** What to do about it, in one sentence. */
  readonly remedy: string;
  readonly offences: (loop: LoopDefinition) => readonly Found[];
}

/** A rule that a loop breaks: which, where, with what, and what to do. */
export interface Offence extends Found {
  readonly rule: string;
  readonly remedy: string;
}
