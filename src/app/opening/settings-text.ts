import type { RunSettings } from '../../../machines/settings.ts';
import type { RunOptions } from '../../config/options.ts';
import type { AppHost } from '../app-host.ts';
import type { PreparedRun } from '../start/prepare-run.ts';
import { openedSettings } from './settings-of-opening.ts';
import { projectInstructions } from '../../config/project-instructions.ts';
import { projectSkills } from '../../config/project-skills.ts';

/** The settings of a new run with everything that its model is told beside the task, and warnings about that. */
export async function toldSettings(
  { services }: Pick<AppHost, 'services'>,
  options: RunOptions,
  { settings, proof }: Pick<PreparedRun, 'settings' | 'proof'>,
): Promise<{ readonly settings: RunSettings; readonly warnings: readonly string[] }> {
  const { clock, offeredTools, toolSpecs } = services;
  const opened = await openedSettings(settings, { isProven: proof !== null, clock, offeredTools, toolSpecs });
  return instructedSettings(opened, options);
}

const NO_SKILLS = { instruction: null, warnings: [] };

interface Instructed {
  readonly settings: RunSettings;
  readonly warnings: readonly string[];
}

/**
 * The settings of a new run with the instructions of its project, which a run with an agent has. They are recorded by
 * their text, so what an attempt writes into these files steers no other attempt of the run. An isolated run has those
 * of the folder that it was given, also where git ignores them.
 */
async function instructedSettings(
  settings: RunSettings,
  { instructions: wanted = settings.agent == null ? 'none' : 'project' }: Pick<RunOptions, 'instructions'>,
): Promise<Instructed> {
  if (wanted === 'none') return { settings, warnings: [] };
  const directory = settings.isolation?.origin ?? settings.directory;
  const { instructions, warnings } = await projectInstructions(directory);
  const skills = settings.tools.includes('read') ? await projectSkills(directory) : NO_SKILLS;
  const told = [...instructions, ...[skills.instruction ?? []].flat()];
  return {
    settings: told.length === 0 ? settings : { ...settings, instructions: told },
    warnings: [...warnings, ...skills.warnings],
  };
}
