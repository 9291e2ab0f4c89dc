import type { RunSettings } from '../../../machines/settings.ts';
import { readStateFile } from '../../actors/state-file/read-state-file.ts';
import { loopNamed } from '../../kernel/loop-named.ts';
import { parseRalphState } from '../../ralph/parse-state.ts';
import type { LocalHost } from './local-host.ts';
import { stateFileOf } from './state-file-place.ts';

/** The effect of a loop that keeps a state file. */
const KEEPS_STATE_FILE = 'writeStateFile';

/** The state file of a folder belongs to a run that has not ended. Nothing was written. */
export class StateFileHeldError extends Error {
  override readonly name = 'StateFileHeldError';
  /** That run. */
  readonly run: string;
  readonly path: string;

  constructor(run: string, path: string) {
    super(`${path} is active, and belongs to run ${run}, which has not ended. Resume that run, or abort it.`);
    this.run = run;
    this.path = path;
  }
}

/**
 * Throws where the state file is that of a run that has not ended. One that is inactive, or of a run that has ended or
 * is not in this log, is replaced; a damaged one pauses the run once it has begun.
 */
export async function assertStateFileFree(
  { log, definitions }: Pick<LocalHost, 'log' | 'definitions'>,
  settings: RunSettings,
): Promise<void> {
  if (!(KEEPS_STATE_FILE in loopNamed(settings.loop, definitions).effects)) return;
  const path = stateFileOf(settings);
  const found = await readStateFile(path);
  const read = found.kind === 'text' ? parseRalphState(found.text) : null;
  if (read?.kind !== 'state' || !read.state.active || read.state.sessionId === null) return;
  const holder = await log.run(read.state.sessionId);
  if (holder?.closed === null) throw new StateFileHeldError(holder.run, path);
}
