import { join } from 'node:path';
import type { RunSettings } from '../../../../machines/settings.ts';
import { STATE_FILE } from '../../../ralph/ralph-options.ts';

/** Where people find the state file of a run: in the folder that it was given, also where it works in a worktree. */
export const stateFileFolder = ({ directory, isolation }: Pick<RunSettings, 'directory' | 'isolation'>): string =>
  isolation?.origin ?? directory;

export const stateFileOf = (settings: Pick<RunSettings, 'directory' | 'isolation'>): string =>
  join(stateFileFolder(settings), STATE_FILE);
