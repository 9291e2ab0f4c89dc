import type { Fault } from '../../machines/outcome.ts';
import type { Isolation, RunSettings } from '../../machines/settings.ts';

/** A capture of a run, by its number; 0 is its start. */
export interface NumberedCapture {
  readonly run: string;
  readonly number: number;
}

/** The folders that a run has recorded. */
type Recorded = Pick<RunSettings, 'directory' | 'isolation'>;

/** The workspaces of runs, as far as effects ask about them. Captures and checks of them are actors. */
export interface RunWorkspaces {
  /** Says why a run cannot go on in its worktree: it is gone. Null: it is there. */
  readonly goneFault: (isolation: Isolation) => Promise<Fault | null>;
  /** Says why what a run shows may be worthless: files that other work uses too were changed. Null: none was. */
  readonly sharedFault: (isolation: Isolation) => Promise<Fault | null>;
  /**
   * The change from the capture before to this one, as the beginning of a patch that may be a character too long.
   * Null: not both are kept.
   */
  readonly patchOf: (capture: NumberedCapture, at: Recorded, mostCharacters: number) => Promise<string | null>;
  /** Has the captures of a run go by what was ignored when another run began, as far as that is known. */
  readonly inheritRules: (from: string, to: string, at: Recorded) => Promise<void>;
  /** Tells whether a file of a folder is known to be kept out of commits. */
  readonly isIgnored: (folder: string, path: string) => Promise<boolean>;
}
