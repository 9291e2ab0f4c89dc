import type { RunSettings } from '../../../machines/settings.ts';
import { readStateFile } from '../../actors/state-file/read-state-file.ts';
import { loopNamed } from '../../kernel/loop-named.ts';
import { parseRalphState } from '../../ralph/parse-state.ts';
import type { LocalHost } from './local-host.ts';
import { stateFileOf } from './state-file-place.ts';

/** The effect of a loop that keeps a state file. */
const KEEPS_STATE_FILE = 'writeStateFile';

/** The state file of a folder is active, and not of a run that has ended. Nothing was written. */
export class StateFileHeldError extends Error {
  override readonly name = 'StateFileHeldError';
  /** The run that it names. Null: it names none. */
  readonly run: string | null;
  readonly path: string;

  /** `isKnown`: the run is in this log. */
  constructor(path: string, run: string | null, isKnown: boolean) {
    super(`${path} is active, ${isKnown ? knownText(run) : strangeText(run)}`);
    this.run = run;
    this.path = path;
  }
}

const knownText = (run: string | null): string =>
  `and belongs to run ${run}, which has not ended. Resume that run, or abort it.`;

const strangeText = (run: string | null): string =>
  `and names ${run === null ? 'no run' : `run ${run}, which is not in this log`}: it may be the file of another ` +
  'program, which would lose it. Set active: false in it, or remove it.';

/**
 * Throws where the state file is active, and not of a run in this log that has ended. An inactive one is replaced; a
 * damaged one pauses the run once it has begun.
 */
export async function assertStateFileFree(
  { log, definitions }: Pick<LocalHost, 'log' | 'definitions'>,
  settings: RunSettings,
): Promise<void> {
  if (!(KEEPS_STATE_FILE in loopNamed(settings.loop, definitions).effects)) return;
  const path = stateFileOf(settings);
  const found = readStateFile(path);
  const read = found.kind === 'text' ? parseRalphState(found.text) : null;
  if (read?.kind !== 'state' || !read.state.active) return;
  const { sessionId } = read.state;
  const named = sessionId === null ? null : await log.run(sessionId);
  if (named === null || named.closed === null) throw new StateFileHeldError(path, sessionId, named !== null);
}
