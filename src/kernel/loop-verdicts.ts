import type { LoopEvent } from '../../machines/events.ts';

/** A verdict on a change, or on the workspace as it is. */
export interface Verdict {
  /** The id of the change. Null: the workspace. */
  readonly about: string | null;
  readonly passed: boolean;
  /** Hash of the tree that was judged. Null: outside of git. */
  readonly workspace: string | null;
}

/**
 * How a loop judges changes of its own, beside the checks that every loop has. With it the laws of proofs hold for the
 * loop: nothing is integrated, and nothing is called a verified success, without its verdict.
 */
export interface LoopVerdicts {
  /** The verdict that an event is. Null: it is no verdict. */
  readonly verdict: (event: LoopEvent) => Verdict | null;
  /** The id of the change that an event has integrated. Null: none. */
  readonly integrated: (event: LoopEvent) => string | null;
  /** Takes the newest verdict back: a person has denied the change. */
  readonly takesBack: (event: LoopEvent) => boolean;
}
