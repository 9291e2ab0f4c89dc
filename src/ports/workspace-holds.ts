import type { Holder } from '../log/lease-store.ts';

/** A tree of runs that holds a workspace. */
export interface WorkspaceHolder {
  /** The root of the tree. */
  readonly run: string;
  /** Absolute, without symbolic links. */
  readonly workspace: string;
  /** Where the run is recorded, as in `Log.store`. */
  readonly log: string;
  /** RFC 3339. */
  readonly since: string;
  readonly process: Holder;
}

export interface WantedHold extends Pick<WorkspaceHolder, 'run' | 'workspace' | 'log'> {
  /**
   * The run has ended, and what begins continues it as another run. Of a run that has not ended, the lease in its log
   * says whether another process has it, and not this hold.
   */
  readonly isOver: boolean;
}

export type TakenHold =
  | { readonly kind: 'taken'; readonly hold: Hold }
  /** Another tree holds the folder, one inside it, or one around it. */
  | { readonly kind: 'held'; readonly by: WorkspaceHolder }
  /** The registry cannot be used. `why` is a sentence for the user. */
  | { readonly kind: 'unavailable'; readonly why: string };

/** A workspace that is held until it is released, or until this process is gone. */
export interface Hold {
  /** The run turned out to be another one, such as a continuation. */
  rename(run: string): void;
  /**
   * Resolves when another tree turns out to hold the workspace, because this process was taken for dead, as after a
   * long sleep of its machine. Until then, and where that never happens, it is pending.
   */
  readonly lost: Promise<WorkspaceHolder>;
  release(): void;
}

/** Which trees of runs hold which workspaces, for all processes of a user. */
export interface WorkspaceHolds {
  take(wanted: WantedHold): TakenHold;
}
