import type { Replacement } from './edit-target.ts';

/** A call and its result. */
export interface Observed {
  readonly tool: string;
  readonly action: string;
  /** Equal for results that differ only in what is new each time. */
  readonly result: string;
  /** The same, where the names in the call itself do not count. Equal for one answer to several questions. */
  readonly gist: string;
  /** The tests and errors that it shows as red. Null: none. */
  readonly outcome: string | null;
  /** It reads as a refusal, an error or a fault, whatever its status is. */
  readonly isBad: boolean;
  /** Words for the things that the call is about. */
  readonly words: readonly string[];
  readonly failed: boolean;
  /**
   * The end of the work that was asked for: a command that ran may have failed nevertheless. `unknown`: there is no
   * such tool.
   */
  readonly end: 'done' | 'failed' | 'unknown';
  /** A search that has found nothing. */
  readonly foundNothing: boolean;
  /** It did not run: a detector or a limit refused it. */
  readonly isRefused: boolean;
  /** It is meant to be made repeatedly, or waits for something. */
  readonly isPolling: boolean;
  /** The time that it waited, in milliseconds, as far as that is known. 0: none, or unknown. */
  readonly waitedMs: number;
  /** It never counts as a repetition where calls alone are counted. */
  readonly isExempt: boolean;
  /** It is there to change something, so its results are alike by their nature. */
  readonly isWriting: boolean;
  /** It may have changed a file: it does more than read, search or wait. */
  readonly mayChange: boolean;
  /** The thing that it replaces as a whole. Null: none. */
  readonly replaces: Replacement | null;
  /** The ids of the event that asked for it and of its result. */
  readonly evidence: readonly [asked: string, answered: string];
}
