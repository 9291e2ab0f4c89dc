import type { AnyEvent, Recorded } from '../../machines/events.ts';
import type { Finding } from '../../machines/outcome.ts';
import type { Phase } from '../budget/phase.ts';
import type { FactOf } from './cast.ts';
import type { Narration } from './narration.ts';

/**
 * A loop's events and state, for people. Only `round` and `line` are needed: events of every loop (`run.*`,
 * `decision.made`, `child.settled` and the like) are told without it.
 */
export interface LoopDescription {
  /** One round, in a word: `step`. */
  readonly round: string;
  /** A run that performs a round, in a word: `attempt`. Absent: the run performs its rounds itself. */
  readonly child?: string;
  /** False: its rounds are too small for a row each on the page of a run. */
  readonly rows?: false;
  /** What one of its own events says, in one line. Null: it is not one of its own. */
  line(event: Recorded<AnyEvent>): string | null;
  /** What one of its own events adds to the page and the account of its run, beside what `spend` says. */
  adds?(event: Recorded<AnyEvent>): Additions;
  /**
   * Follows what a run asks people. Absent: it asks nothing. `earlier` is what the version before this one has followed, where a
   * run is migrated to this one.
   */
  questions?(earlier?: Questions): Questions;
  /** Its own events while a run is watched. Absent: `line` tells them. `earlier` as for `questions`. */
  narration?(earlier?: Narration): Narration;
}

/** What one event adds to the page and the account of its run. */
export interface Additions {
  /** The newest thing that the run has said. */
  readonly answer?: string;
  /** A line on the row of the round under way. */
  readonly remark?: string;
  /** What detectors have noticed. */
  readonly findings?: readonly Finding[];
  /** What the event's `usage` went into. Absent: `answers`. */
  readonly phase?: Phase;
  /** How a request to a model went. */
  readonly request?: Request;
}

/**
 * How a request to a model went. `answered`: it counts even where no token was used; `by` is the model, where it is not the
 * run's. `limited`: the provider asks to wait until a time (RFC 3339). `replaced`: another model answers from here on.
 */
export type Request =
  | { readonly kind: 'answered'; readonly by?: string | undefined }
  | { readonly kind: 'retried' }
  | { readonly kind: 'limited'; readonly until: string }
  | { readonly kind: 'replaced'; readonly from: string; readonly to: string; readonly because: string };

/** What a run asks people, folded from its facts. */
export interface Questions {
  observe(fact: FactOf<AnyEvent>): void;
  /** Oldest first, those that are answered or no longer open included. */
  asked(): readonly AskedQuestion[];
}

/** Something that a run has asked a person. */
export interface AskedQuestion {
  readonly run: string;
  /** Unique among the open questions of a run: `step.index`. */
  readonly callId: string;
  /** `access`: permission to read `path`, which is granted or refused rather than answered. */
  readonly kind: 'question' | 'access';
  /** The question, or why access is wanted. */
  readonly text: string;
  /** Suggestions; the answer may be another. */
  readonly choices: readonly string[];
  /** What is to be read, as the model said it. Null for a question. */
  readonly path: string | null;
  readonly askedAt: string;
  /** The id (`RUN/version`) of the event that let the question through. */
  readonly event: string;
  /** False once it is answered, or no answer is waited for any longer. */
  readonly isOpen: boolean;
  /** Null until it is answered. */
  readonly answer: string | null;
}
