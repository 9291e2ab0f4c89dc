import { homedir } from 'node:os';
import type { GitCall } from '../git/process/git.ts';
import type { OriginRepository } from '../git/worktree/origin-repository.ts';
import type { Elsewhere } from '../actors/elsewhere.ts';
import type { Mirror } from '../actors/proof/mirror.ts';
import type { WallPlan } from '../actors/proof/walls-script.ts';
import type { ReportPlace } from '../actors/verify/report-place.ts';
import type { LegCaches } from './leg-caches.ts';
import type { Openings } from './openings.ts';

/** What every leg is checked out for. */
export interface ProofGround {
  readonly mirror: Mirror;
  readonly origin: OriginRepository;
  /** The commit that was checked out when the run began. */
  readonly head: string | null;
  /** Folders of installed dependencies, from the top of the workspace. */
  readonly dependencies: readonly string[];
  /** The workspace of the person, which a worktree of a run is not. */
  readonly workspace: string;
  /** Files that git ignores: copies of them in a folder, and their paths from its top. */
  readonly provided: { readonly folder: string; readonly paths: readonly string[] };
  /** Paths in the home that checks may read, beside those of tools. */
  readonly homePaths: readonly string[];
  /** A folder that checks behind walls are not to read. */
  readonly hidden: string | undefined;
  /** The checkout's repository. */
  readonly call: GitCall;
  /** Files that checks rest on, from the top: what runs in a checkout is not to write to them. */
  readonly grounds: ReadonlySet<string>;
  readonly caches: LegCaches;
}

/** A tree that is checked out, and how its checks are run. */
export interface LegPlace {
  /** As checks see it. */
  readonly directory: string;
  readonly elsewhere: Elsewhere;
  readonly reports: ReportPlace;
  /** What leads from its dependencies into the workspace. */
  readonly pointers: readonly string[];
  /** Grounds that something has written to since, as far as that is known: in a copy it is not. */
  readonly touched: () => Promise<readonly string[]>;
}

/**
 * As legs are recorded. `start`: what the run began with. `base`: the work with the grounds of its start.
 * `work`: the work as it is.
 * `again`: the first two once more. `control`: the second, with tests that must fail or planted errors. `held-out`: the
 * first three, with the held-out files.
 */
export type LegName = 'start' | 'base' | 'work' | 'again' | 'control' | 'held-out';

/** The first leg, and the second, by their recorded names. */
export const FIRST_LEG = 'base' as const satisfies LegName;
export const SECOND_LEG = 'work' as const satisfies LegName;

/** Checks out the tree of a leg. */
export type PlaceLeg = (leg: string, tree: string, open?: Openings) => Promise<LegPlace>;

/** Why no walls can be built around a leg. Null: they can. */
export type ProbeWalls = (plan: WallPlan, signal: AbortSignal) => Promise<string | null>;

/** As commands are told it. */
export const homeOfPerson = (): string => process.env['HOME'] ?? homedir();
