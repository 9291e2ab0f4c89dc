import type { OriginRepository } from '../git/worktree/origin-repository.ts';
import type { ProvidedFile } from '../actors/proof/files-for-proof.ts';
import type { NamingCheck } from '../evidence/files-in-checks.ts';
import type { Strictness } from './strictness.ts';

/** The work that is proven, and the means. */
export interface LegsSubject {
  /** The repository that has the trees, and the workspace, at whose path the checks run. */
  readonly origin: OriginRepository;
  /** Hashes of the trees of the start, with grounds as they were before earlier runs, and of the work. */
  readonly base: string;
  readonly work: string;
  /** Hash of the tree of the workspace when the run began. Absent: the base. */
  readonly start?: string | undefined;
  /** Grounds of which the base has what was there before earlier runs. */
  readonly inherited?: readonly string[];
  /** The commit that was checked out when the run began. */
  readonly head: string | null;
  readonly checks: readonly NamingCheck[];
  readonly protect: readonly string[];
  readonly unprotect: readonly string[];
  /** Names or paths of folders of installed dependencies. */
  readonly deps: readonly string[];
  /** Files that git ignores and that the checkouts get, and the workspace that has them. */
  readonly provided: { readonly root: string; readonly files: readonly ProvidedFile[] };
  /** Commands that run in each checkout before its checks. */
  readonly prepare: readonly string[];
  /** Paths in the home that checks may read, beside those of tools. */
  readonly homePaths: readonly string[];
  /** The folder of held-out files: checks behind walls do not find it. */
  readonly hidden?: string | undefined;
  /** What the run was started to be strict about, or not. */
  readonly asked?: Strictness | undefined;
  /** When the run began. Null: dependencies are a copy, of which it is not known what changed since. */
  readonly since: Date | null;
}
