import type { LoopEvent } from '../../../../machines/events.ts';
import type { RunSettings } from '../../../../machines/settings.ts';
import { isIgnored } from '../../../actors/workspace/ignored.ts';
import { STATE_FILE } from '../../../ralph/ralph-options.ts';
import { stateFileFolder } from '../state-file-place.ts';

/** Git would commit the state file: the user should know. Said where the file is new. */
export async function* warnExposed(settings: RunSettings): AsyncIterable<LoopEvent> {
  if (await isIgnored(stateFileFolder(settings), STATE_FILE)) return;
  const message = `git does not ignore ${STATE_FILE}: add it to .gitignore, so that it is not committed`;
  yield { type: 'warning.raised', payload: { code: 'state_file_not_ignored', message } };
}
