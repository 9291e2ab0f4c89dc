import { applyChange, type BringOptions, type BroughtChange, undoChange, type WorkspaceHeld } from './apply-change.ts';
import { type ChangeBranch, changeBranch } from './change-branch.ts';
import type { AppHost } from '../app-host.ts';
import { RecordedRuns } from '../records/runs-of-log.ts';
import { type DiffOptions, type NoChange, type RunChange, runChange } from './run-change.ts';
import { z } from 'zod';
import { faultsOf, knownKeys } from '../../options/config-fault.ts';
import { OptionsError } from '../start/options-error.ts';

// A program without types could mistype `check`, and `undo` would write files that it was only asked about.

const STATE = "'start', 'end', or a version of the run's log";
const ROUND = 'a round, from 1';
const BOOLEAN = 'true or false';

const State = z.union([z.int().nonnegative(), z.enum(['start', 'end'])], { error: STATE }).optional();

const KnownDiff = z
  .strictObject(
    {
      at: State,
      to: z
        .strictObject({ run: z.string({ error: 'the id of a run' }), at: State }, { error: '{ run, at }' })
        .optional(),
      round: z.int({ error: ROUND }).min(1, { error: ROUND }).optional(),
    } satisfies { readonly [option in keyof Required<DiffOptions>]: z.ZodType },
    { error: '{ at, to, round }' },
  )
  .refine(({ at, to, round }) => round === undefined || (at === undefined && to === undefined), {
    path: ['round'],
    error: 'no round beside at and to: a round has its own two states',
  });

const KnownBring = z.strictObject(
  {
    check: z.boolean({ error: BOOLEAN }).optional(),
    force: z.boolean({ error: BOOLEAN }).optional(),
  } satisfies { readonly [option in keyof Required<BringOptions>]: z.ZodType },
  { error: '{ check, force }' },
);

/** Throws an `OptionsError` that names each option of `diff` that is unknown or invalid. */
const assertDiffOptions = (options: unknown): void => assertKnown(KnownDiff, options);

/** Throws an `OptionsError` that names each option of `apply` and `undo` that is unknown or invalid. */
const assertBringOptions = (options: unknown): void => assertKnown(KnownBring, options);

function assertKnown(schema: z.ZodType, options: unknown): void {
  const parsed = schema.safeParse(options);
  if (parsed.success) return;
  // No flag has these names.
  throw new OptionsError(faultsOf(parsed.error, options, knownKeys(schema)).map((fault) => ({ ...fault, flag: null })));
}

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
