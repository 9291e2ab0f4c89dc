import { join } from 'node:path';
import type { RunSettings } from '../../../machines/settings.ts';
import { ralphOptionsOf } from '../../loops/ralph/memory.ts';

/** Where people find the state file of a run: in the folder that it was given, also where it works in a worktree. */
export const stateFileFolder = ({ directory, isolation }: Pick<RunSettings, 'directory' | 'isolation'>): string =>
  isolation?.origin ?? directory;

export const stateFileOf = (settings: Pick<RunSettings, 'directory' | 'isolation' | 'options'>): string =>
  join(stateFileFolder(settings), ralphOptionsOf(settings).stateFile);
