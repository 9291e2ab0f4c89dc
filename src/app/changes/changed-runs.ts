import {
  applyChange,
  type BringOptions,
  type BroughtChange,
  undoChange,
  type WorkspaceHeld,
} from './brought-change.ts';
import { assertBringOptions, assertDiffOptions } from './change-options.ts';
import { type ChangeBranch, changeBranch } from './change-branch.ts';
import type { AppHost } from '../app-host.ts';
import { RecordedRuns } from '../records/recorded-runs.ts';
import { type DiffOptions, type NoChange, type RunChange, runChange } from './run-change.ts';

/** The runs of one log, and what each has changed in its workspace. */
export class ChangedRuns extends RecordedRuns {
  readonly #host: AppHost;

  constructor(host: AppHost) {
    super(host);
    this.#host = host;
  }

  /**
   * What a run has changed: from its start to its end, or between two states. Throws an `OptionsError` where an option
   * is unknown or invalid, and a `GitError` where its repository cannot be read.
   */
  async diff(run: string, options: DiffOptions = {}): Promise<RunChange | NoChange> {
    assertDiffOptions(options);
    return runChange(this.#host, run, options);
  }

  /**
   * Brings the change of an isolated run into the folder that it was started for; of any run, brings back what `undo`
   * took out. All of it or, where the workspace has changed the same lines, nothing. Throws an `OptionsError`, a
   * `GitError`, or a `WorkspaceError` where files cannot be written.
   */
  async apply(run: string, options: BringOptions = {}): Promise<BroughtChange | NoChange | WorkspaceHeld> {
    assertBringOptions(options);
    return applyChange(this.#host, run, options);
  }

  /** Makes a branch with the change of a run as one commit. Nothing else changes. Throws a `GitError`. */
  branch(run: string, name: string): Promise<ChangeBranch> {
    return changeBranch(this.#host, run, name);
  }

  /**
   * Brings the files that a run has changed back to what they were when it began. Files that have changed since are
   * merged, or left and listed. Throws as `apply` does.
   */
  async undo(run: string, options: BringOptions = {}): Promise<BroughtChange | NoChange | WorkspaceHeld> {
    assertBringOptions(options);
    return undoChange(this.#host, run, options);
  }
}
