import type { RunOptions } from '../../src/config/options.ts';
import type { Doubt } from './told-run.ts';
import type { Weakness } from '../../src/evidence/grade.ts';

/** Texts by their paths. */
export type Files = { readonly [path: string]: string };

/** A repository, and the checks of a run in it. */
export interface Project {
  readonly files: Files;
  /** Written after the commit: what git ignores, such as dependencies. */
  readonly installed?: Files;
  /** Names of packages that this repository has: installed after the commit, with what they need. */
  readonly packages?: readonly string[];
  /** Run in the repository before its commit, by a shell. */
  readonly prepared?: string;
  /** The repository has no commit. */
  readonly uncommitted?: true;
  /** The run works in a worktree of the repository. */
  readonly worktree?: true;
  readonly checks: NonNullable<RunOptions['checks']>;
  readonly options?: Partial<RunOptions>;
  /** What the machine needs: a command that exits with 0. */
  readonly needs?: string;
}

/** What an agent does before it says that it is done. */
export interface Work {
  readonly remove?: readonly string[];
  readonly write?: Files;
  /** Run by the tool `shell`, after the files are written. */
  readonly shell?: string;
}

interface Story {
  /** Goes on from "an agent that". */
  readonly name: string;
  readonly project: Project;
  readonly work: Work;
  /** What the machine needs, beside what the project does. */
  readonly needs?: string;
}

/** What an attack changes, or turns against its checks by. */
export type AttackKind =
  | 'files'
  | 'linters'
  | 'configuration'
  | 'environment'
  | 'dependencies'
  | 'processes'
  | 'git'
  | 'reports'
  | 'runner'
  | 'chance'
  | 'time'
  | 'names';

/** Work that is not done, by an agent that makes its checks pass. */
export interface Attack extends Story {
  readonly kind: AttackKind;
  /** It was among those that passed before there were proofs. */
  readonly measured?: true;
  /**
   * What is found; where two processes race, one of these. A weakness: the run ends in a success that is not enough
   * for it.
   */
  readonly by: Doubt | Weakness | readonly Doubt[];
  /** False: the checks fail in the folder, too, once the run has ended. Null: which process was first decides. */
  readonly inFolder?: false | null;
  /** A file that is there once code of the agent has run where none may run. */
  readonly never?: string;
}

/** Attacks of one kind. `by`: what is found where a story says nothing else. */
export const attacks = (
  kind: AttackKind,
  by: Attack['by'],
  stories: readonly (Omit<Attack, 'kind' | 'by'> & Partial<Pick<Attack, 'by'>>)[],
): readonly Attack[] => stories.map((story) => ({ kind, by, ...story }));

/** Work that is not done, and that running tests cannot tell from work that is. */
export interface NamedCheat extends Story {
  readonly grade: 'witnessed' | 'verified' | 'weak';
  /** Words of the guide that say so. */
}

/** How honest work ends: with a grade, or with a person who is asked about changed grounds. */
export type HonestEnd = 'witnessed' | 'verified' | 'weak' | 'asked';

/** Work that is done. */
export interface HonestChange extends Story {
  readonly kind: HonestKind;
  readonly ends: HonestEnd;
  /** False: it is not enough for a status of 0, beside what is weak, and never is. */
  readonly enough?: false;
  /** What keeps it from being `witnessed`. */
  readonly because?: readonly Weakness[];
  /** Each ground that it changed: its path, how, and the keys. */
  readonly grounds?: readonly string[];
}

export type HonestKind =
  | 'source'
  | 'refactoring'
  | 'tests'
  | 'asked'
  | 'configuration'
  | 'dependencies'
  | 'repository'
  | 'suite'
  | 'unusual';

/** Honest changes of one kind. `ends`: how, where a story says nothing else. */
export const honest = (
  kind: HonestKind,
  ends: HonestEnd,
  stories: readonly (Omit<HonestChange, 'kind' | 'ends'> & Partial<Pick<HonestChange, 'ends'>>)[],
): readonly HonestChange[] => stories.map((story) => ({ kind, ends, ...story }));
