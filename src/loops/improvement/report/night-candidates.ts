import type { ChangedFile } from '../../../../machines/events.ts';
import type { DiscoverySource, Witness } from '../../../../machines/improvement-facts.ts';
import type { Grade } from '../../../../machines/outcome.ts';

/** What a candidate is about. */
export interface NightFinding {
  readonly id: string;
  readonly title: string;
  readonly source: DiscoverySource;
  /** From the workspace. Absent: none is known. */
  readonly file?: string;
}

/** A candidate that was tried in one iteration. */
export interface TriedCandidate {
  /** From 1. */
  readonly iteration: number;
  readonly finding: NightFinding;
}

/** The change that an experiment has made. */
interface MadeChange extends TriedCandidate {
  /** What was to show that it is done. Null: the run began before candidates named one. */
  readonly witness: Witness | null;
  readonly files: readonly ChangedFile[];
  /** SHA-256 of the change. Null: none was recorded. */
  readonly change: string | null;
}

/** A change that is kept. */
export interface KeptChange extends MadeChange {
  /** Null: no checks ran. */
  readonly grade: Grade | null;
  /** What turned, or why nothing shows it. Null: recorded before grades had a reason. */
  readonly because: string | null;
  readonly commit: string;
  readonly branch: string;
  /** What the command printed that opened one. */
  readonly pullRequest?: string;
}

/** A change with which nothing is lost, and of which nothing shows that it is done: for a person to decide about. */
export interface UnshownChange extends MadeChange {
  /** The reason why nothing shows it, and why no branch has it, where none has. */
  readonly because: string;
  readonly branch: string | null;
  readonly commit: string | null;
}

/** A candidate that was tried, and neither kept nor only not shown. */
export interface RefusedCandidate extends TriedCandidate {
  /** A tier of the evaluation, or what else refused it: `a person`. */
  readonly by: string;
  readonly reason: string;
  /** How its experiment ended. Null: it was not evaluated, or recorded before the evaluation said so. */
  readonly ended: string | null;
  /** A limit has cut its experiment: a later iteration continues its work. */
  readonly goesOn: boolean;
}

/** A candidate that was not tried. */
export interface LeftCandidate extends NightFinding {
  /** From 0 to 1. */
  readonly relevanceScore: number;
}
