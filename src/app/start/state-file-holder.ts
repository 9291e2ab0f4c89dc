import type { RunSettings } from '../../../machines/settings.ts';
import { readStateFile } from '../../actors/state-file/read-state-file.ts';
import type { Holder } from '../../log/lease-store.ts';
import { loopNamed } from '../../kernel/loop-named.ts';
import { parseRalphState } from '../../ralph/parse-state.ts';
import { processOf } from '../../projections/phrases.ts';
import { keepsStateFile } from '../../loops/loop-abilities.ts';
import type { AppHost } from '../app-host.ts';
import { stateFileOf } from '../../loops/ralph/effects/state-file-place.ts';

/** How a state file is kept: by a run of this log, by another program, or by a run that has begun to work just now. */
type Keeping = 'known' | 'strange' | 'claimed';

/**
 * The state file of a folder is kept for a run that has not ended, or for another program, so this loop was not started
 * or resumed, and nothing was written. The message ends with what to do.
 *
 * @example
 * const live = await loops.start(options).catch((error: unknown) => {
 *   if (error instanceof StateFileHeldError) return console.error(error.run, error.path);
 *   throw error;
 * });
 */
export class StateFileHeldError extends Error {
  override readonly name = 'StateFileHeldError';
  readonly code = 'state_file_held';
  /** The run that it names. Null: it names none. */
  readonly run: string | null;
  readonly path: string;

  /** The process that works on that run. Null: none does. */
  readonly process: Holder | null;

  constructor(path: string, run: string | null, keeping: Keeping, process: Holder | null = null) {
    super(`${path} ${keeping === 'strange' ? strangeText(run) : knownText(run, keeping, process)}`);
    this.run = run;
    this.path = path;
    this.process = process;
  }
}

const knownText = (run: string | null, keeping: Keeping, process: Holder | null): string =>
  `${keeping === 'claimed' ? 'is kept for' : 'is active, and belongs to'} run ${run}, which has not ended` +
  `${process ? `: ${processOf(process)} works on it. Wait until it has ended` : '. Resume that run'}, or abort it. ` +
  'A folder has one state file, also with --isolate worktree: for a second loop, give ' +
  'another folder (-C), or a strategy without a state file (--strategy ralph in place of the label).';

const strangeText = (run: string | null): string =>
  `is active, and names ${run === null ? 'no run' : `run ${run}, which is not in this log`}: it may be the file of ` +
  'another program, which would lose it. Set active: false in it, or remove it.';

/**
 * Throws where the state file is active, and not of a run in this log that has ended. An inactive one is replaced; a
 * damaged one pauses the run once it has begun.
 */
export async function assertStateFileFree(
  { log, definitions }: Pick<AppHost, 'log' | 'definitions'>,
  settings: RunSettings,
): Promise<void> {
  if (!keepsStateFile(loopNamed(settings.loop, definitions))) return;
  const path = stateFileOf(settings);
  const found = readStateFile(path);
  const read = found.kind === 'text' ? parseRalphState(found.text) : null;
  if (read?.kind !== 'state' || !read.state.active) return;
  const { sessionId } = read.state;
  const named = sessionId === null ? null : await log.run(sessionId);
  if (named === null || named.closed === null)
    throw new StateFileHeldError(path, sessionId, named ? 'known' : 'strange', named && (await log.holder(named.root)));
}
