import type { EventOf, LoopEvent } from '../../../machines/events.ts';
import { NO_GIT } from '../../evidence/cannot-run.ts';
import { environmentFault } from '../../log/environment-fault.ts';
import type { Actor } from '../actor.ts';
import type { Captured } from '../../git/capture/capture.ts';
import { captureFolder } from '../../git/capture/capture-folder.ts';
import { GitError } from '../../git/process/git.ts';
import type { CapturePlace } from '../../git/run-refs.ts';
import { LargeStartError } from '../../git/capture/start-limits.ts';
import type { RunSettings } from '../../../machines/settings.ts';
import { stateFilesOf } from '../../text/own-files.ts';

export interface CaptureInput {
  readonly directory: string;
  readonly run: string;
  /** The place of this capture among those of the run, from 1; 0 is its start. Null: no ref. */
  readonly number: CapturePlace | null;
  /** Tree hash to list the changes against, where the capture before it belongs to another run. */
  readonly base?: string | null;
  /** Files of the loop's own beside the usual ones, from `directory`: they are in no capture. */
  readonly leaveOut?: readonly string[];
  /** Larger files that git does not track are left out: bytes. Absent: the usual limit. */
  readonly captureLimit?: number | undefined;
  /** False: the event lists none, and git is not asked for them. */
  readonly listsChanges?: boolean;
  /** Being outside git is a failure: what a loop proves must have a name. */
  readonly needsGit?: boolean;
}

/** More than a person or a prompt can use: the capture itself has them all. */
export const MAX_CHANGED_FILES = 1_000;
/** A record names no more: the capture of the end keeps more of them. */
const MAX_LEFT_OUT = 20;
const MAX_WARNING_CHARACTERS = 2_000;

/**
 * Names the workspace as it is now: `workspace.captured` with the hash of the whole worktree, whatever sub-folder of it
 * `directory` is, and null outside git. `workspace.failed` where git fails, and, told to stop, `effect.interrupted`.
 * Throws an `EnvironmentFault` where the system has too little of something.
 * Untracked files are in it, git-ignored ones and the loop's own are not; of a repository within, only its commit. What
 * could not be read, and a list of changes that was cut, come as a `warning.raised` before it. `store` is the
 * address of the log, whose files are the loop's own.
 *
 * @example
 * const input = { directory: process.cwd(), run: '01900000-0000-7000-8000-000000000000', number: 1 };
 * for await (const event of captureActor().execute(input, call)) accept(event);
 */
export function captureActor(store: string | null = null): Actor<CaptureInput> {
  return {
    effectClass: () => 'repeatable',
    async *execute(input, { signal }) {
      try {
        const captured = await captureFolder({ ...input, store }, signal);
        if (captured === null && input.needsGit) yield lostGit;
        else yield* tell(captured);
      } catch (error) {
        const fault = signal.aborted ? null : environmentFault(error);
        if (fault) throw fault;
        yield signal.aborted ? interrupted(signal) : failed(error);
      }
    },
  };
}

function* tell(captured: Captured | null): Iterable<LoopEvent> {
  const { hash, ref, changed, unread, leftOut } = captured ?? NOTHING;
  if (unread !== '') yield warning('capture_incomplete', `The capture is not complete. ${head(unread)}`);
  if (changed.length > MAX_CHANGED_FILES) {
    yield warning('changes_cut', `${MAX_CHANGED_FILES} of ${changed.length} changed files are listed.`);
  }
  const payload = { hash, ref, changed: changed.slice(0, MAX_CHANGED_FILES) };
  const lacks = leftOut.length === 0 ? {} : { leftOut: leftOut.slice(0, MAX_LEFT_OUT) };
  yield { type: 'workspace.captured', payload: { ...payload, ...lacks } };
}

const NOTHING = { hash: null, ref: null, changed: [], unread: '', leftOut: [] };

const head = (text: string) => text.slice(0, MAX_WARNING_CHARACTERS).toWellFormed();

function warning(code: string, message: string): EventOf<'warning.raised'> {
  return { type: 'warning.raised', payload: { code, message } };
}

function failed(error: unknown): EventOf<'workspace.failed'> {
  const code = error instanceof GitError || error instanceof LargeStartError ? error.code : 'capture_failed';
  const message = error instanceof Error ? error.message : String(error);
  return { type: 'workspace.failed', payload: { fault: { code, message } } };
}

const LOST =
  'the workspace is in no git work tree any more: its .git was removed, or cannot be read. Put it back, then start again';

const lostGit: EventOf<'workspace.failed'> = {
  type: 'workspace.failed',
  payload: { fault: { code: NO_GIT, message: LOST } },
};

function interrupted({ reason }: AbortSignal): EventOf<'effect.interrupted'> {
  return { type: 'effect.interrupted', payload: { actor: 'capture', reason: String(reason) } };
}

type Bounding = Pick<RunSettings, 'directory' | 'stateDirectory' | 'captureLimit'>;

/** The part of a run's settings that bounds each of its captures. */
export const captureBounds = (
  settings: Bounding,
): Pick<CaptureInput, 'leaveOut' | 'captureLimit'> & { readonly leaveOut: readonly string[] } => ({
  leaveOut: stateFilesOf(settings),
  captureLimit: settings.captureLimit,
});
