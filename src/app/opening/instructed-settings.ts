import type { RunSettings } from '../../../machines/settings.ts';
import type { RunOptions } from '../../config/options.ts';
import { projectInstructions } from '../../config/project-instructions.ts';

interface Instructed {
  readonly settings: RunSettings;
  readonly warnings: readonly string[];
}

/**
 * The settings of a new run with the instructions of its project, which a run with an agent has. They are recorded by
 * their text, so what an attempt writes into these files steers no other attempt of the run. An isolated run has those
 * of the folder that it was given, also where git ignores them.
 */
export async function instructedSettings(
  settings: RunSettings,
  { instructions: wanted = settings.agent == null ? 'none' : 'project' }: Pick<RunOptions, 'instructions'>,
): Promise<Instructed> {
  if (wanted === 'none') return { settings, warnings: [] };
  const { instructions, warnings } = await projectInstructions(settings.isolation?.origin ?? settings.directory);
  return {
    settings: instructions.length === 0 ? settings : { ...settings, instructions: [...instructions] },
    warnings,
  };
}
