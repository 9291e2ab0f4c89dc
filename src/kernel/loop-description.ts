import type { Access, OpenedWalls } from './access-through-walls.ts';
import type { ServerQuestion } from '../../machines/server-question.ts';
import type { Approver } from '../../machines/recorded-proof.ts';
import type { AnyEvent, Recorded } from '../../machines/events.ts';
import type { Finding } from '../../machines/outcome.ts';
import type { Phase } from '../budget/phase.ts';
import type { Activity, FactOf, NextSteps, Tracker } from './effect-handlers.ts';
import type { Narration } from './narration.ts';
import type { ReportFold } from './report-page.ts';
import type { WorkPart } from './work-part.ts';

/**
 * Describes a loop's events and state for people. Only `round` and `line` are needed: events of every loop (`run.*`,
 * `decision.made`, `child.settled` and the like) are described without it.
 */
export interface LoopDescription {
  /** The word for one round: `step`. */
  readonly round: string;
  /** The word for a child run that does a round: `attempt`. Absent: the run does its rounds itself. */
  readonly child?: string;
  /** False: its rounds are too small for a row each on the page of a run. */
  readonly rows?: false;
  /** One of its own events as one line. Null: the event is not one of its own. */
  line(event: Recorded<AnyEvent>): string | null;
  /**
   * `reason`: its runs answer with the reason of their ending. The newest answer of a child may be about work that was
   * refused. Absent: the newest answer.
   */
  readonly answer?: 'reason';
  /** What one of its own events adds to the page and the account of its run, beside what `spend` says. */
  adds?(event: Recorded<AnyEvent>): Additions;
  /** The parts of the work that one of its own events is, for programs that show it. Absent: none is shown. */
  work?(event: Recorded<AnyEvent>): readonly WorkPart[];
  /**
   * Folds what a run asks people. Absent: it asks nothing. `earlier` is the fold of the version before, where a run is
   * migrated to this one.
   */
  questions?(earlier?: Questions): Questions;
  /**
   * What a person has to do outside of the program before the run can go on, where one of its own events says so. It
   * holds until the run is resumed or ends. Null, or absent: nothing.
   */
  remedy?(event: Recorded<AnyEvent>): string | null;
  /** One line for an activity, in place of the headline of a round while a run is watched. Absent: the headline. */
  activity?(activity: Activity): string;
  /** Its own events while a run is watched. Absent: `line` describes them. `earlier` as for `questions`. */
  narration?(earlier?: Narration): Narration;
  /** Its events for programs that track its phases. Absent: its runs have none. */
  tracker?(): Tracker;
  /** Folds what users may want to do next. Absent: its runs end with the commands of every loop alone. */
  next?(): NextSteps;
  /** Folds a report on a whole run. Absent: its runs have their page alone. */
  report?(): ReportFold;
}

/** A table that people read: each row has a cell for each column. */
export interface ShownTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** What one event adds to the page and the account of its run. */
export interface Additions {
  /** The newest answer of the run. */
  readonly answer?: string;
  /** A line on the row of the current round. */
  readonly remark?: string;
  /** A table for the page, in place of an earlier one. */
  readonly table?: ShownTable;
  /** Findings of detectors. */
  readonly findings?: readonly Finding[];
  /** What the event's `usage` went into. Absent: `answers`. */
  readonly phase?: Phase;
  /** The result of a request to a model. */
  readonly request?: Request;
}

/**
 * The result of a request to a model. `answered`: it counts even where no token was used; `by` is the model, where it
 * is not the run's. `limited`: the provider requires a wait until a time (RFC 3339). `replaced`: another model answers
 * from then on.
 */
export type Request =
  | { readonly kind: 'answered'; readonly by?: string | undefined }
  | { readonly kind: 'retried' }
  | { readonly kind: 'limited'; readonly until: string }
  | { readonly kind: 'replaced'; readonly from: string; readonly to: string; readonly because: string };

/** The questions of a run to people, folded from its facts. */
export interface Questions {
  observe(fact: FactOf<AnyEvent>): void;
  /** Oldest first, those that are answered or no longer open included. */
  asked(): readonly AskedQuestion[];
}

/** What an approval allows. */
export interface Approval {
  /** A sentence that says exactly what is allowed. */
  readonly allows: string;
  /** SHA-256, in hex, of exactly what is allowed: an approval of anything else is refused. */
  readonly digest: string;
}

/** The ruling of a person about a request for access. */
export type GivenAccess = Access & { readonly granted: boolean };

/** The ruling of a person about such a request. `by`: who they are, where that is known. */
export interface GivenApproval {
  readonly granted: boolean;
  readonly digest: string;
  readonly reason?: string;
  readonly by?: Approver;
  /** What is allowed for good with it: the names that the question says. Absent: what was asked, and once. */
  readonly remembers?: readonly string[];
}

export type { GivenForm } from '../../machines/server-question.ts';

/** Something that a run has asked a person. */
export interface AskedQuestion {
  readonly run: string;
  /** Unique among the open questions of a run: `step.index`. */
  readonly callId: string;
  /** `access`: permission to read `path`, or for what `opens` says. `approval`: of what `approval` says. */
  readonly kind: 'question' | 'access' | 'approval';
  /** The question, or why access is wanted. */
  readonly text: string;
  /** Suggestions; the answer may be another. */
  readonly choices: readonly string[];
  /** The path or the place that access is wanted to, as the model wrote it. Null for a question. */
  readonly path: string | null;
  /** The walls around commands that access opens. Absent: it is for file tools, to read. */
  readonly opens?: OpenedWalls;
  /**
   * What is to be approved. Of a request to read: the real place, as it is when the question is read; hosts add it, and
   * it is absent where nothing is there. Absent for questions.
   */
  readonly approval?: Approval;
  /** The form that the answer fills in, where a server of a tool asks: the answer is a person's own. */
  readonly form?: ServerQuestion;
  /** A yes opens walls to the call that it is about, and to no other. */
  readonly opensWalls?: true;
  /** What may be allowed for good with it, in words. Absent: nothing. */
  readonly remembers?: readonly string[];
  readonly askedAt: string;
  /** The id (`RUN/version`) of the event that let the question through. */
  readonly event: string;
  /** False once it is answered, or the run no longer waits for an answer. */
  readonly isOpen: boolean;
  /** Null until it is answered. */
  readonly answer: string | null;
}
