import type { RunSettings } from '../../../machines/settings.ts';
import type { GitCall } from '../../actors/workspace/git.ts';

/** In the repository that keeps the captures of a run. */
export const callOf = ({ isolation, directory }: Pick<RunSettings, 'isolation' | 'directory'>): GitCall => ({
  directory: isolation?.repository ?? directory,
});
