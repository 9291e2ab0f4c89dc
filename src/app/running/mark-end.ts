import { earliestFileTime } from '../../git/workspace-path.ts';
import { keepUncaptured } from '../../git/capture/files-not-captured.ts';
import { callOf } from '../../actors/capture-repository.ts';
import { decidingAtEnd, type NamedAtEnd } from '../changes/change-of-settings.ts';
import type { Taken } from '../../loops/shared/effects/untold-capture.ts';
import { capturedAsMarked, isCaptured, type Marked } from './mark-workspace.ts';

/** Outside git there is nothing to capture, which is no failure. */
const NOTHING: Taken = { hash: null, failure: null, code: null };

/** How the capture of a run's end went. */
export interface MarkedEnd extends NamedAtEnd {
  /** Why it failed, or null. */
  readonly failure: string | null;
  /** Files that the run wrote into repositories within the workspace: no capture has them. From its top. */
  readonly uncaptured: readonly string[];
  /** How many more such files are over the limits: they are kept nowhere but in the workspace. */
  readonly beyond: number;
}

/** Captures the workspace as the run leaves it. `since`: when the run began, in ms since 1970; `store`: its log. */
export async function markEnd(
  marked: Marked,
  about: { readonly since: number; readonly store: string },
): Promise<MarkedEnd> {
  const { hash, failure } = isCaptured(marked) ? await capturedAsMarked(marked, 'end') : NOTHING;
  if (hash === null) return { failure, uncaptured: [], beyond: 0, leftOut: [], deciding: [] };
  const { run, settings } = marked;
  const { directory, captureLimit } = settings;
  const since = await earliestFileTime(about.since, callOf(settings));
  const work = { directory, run, tree: hash, captureLimit, ...about, since };
  const kept = await keepUncaptured(work).catch((error: unknown) => ({
    paths: [],
    beyond: 0,
    failure: `files in repositories within it are not kept: ${error instanceof Error ? error.message : String(error)}`,
  }));
  const folder = settings.isolation ? null : directory;
  const named = await decidingAtEnd({ run, folder, since, tree: hash }, callOf(settings));
  return {
    failure,
    uncaptured: kept.paths,
    beyond: kept.beyond,
    ...named,
    ...('failure' in kept ? { failure: kept.failure } : {}),
  };
}
