import type { RunSettings } from '../../machines/settings.ts';
import type { GitCall } from '../git/process/git.ts';

type Recorded = Pick<RunSettings, 'isolation' | 'directory'>;

/** The folder that a run was given, as it was named then. */
export const givenFolder = ({ isolation, directory }: Recorded): string => isolation?.origin ?? directory;

/** In the repository that keeps the captures of a run. */
export const callOf = ({ isolation, directory }: Recorded): GitCall => ({
  directory: isolation?.repository ?? directory,
});
