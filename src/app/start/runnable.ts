import type { RunSettings } from '../../../machines/settings.ts';
import { ModelError } from '../../actors/model/model.ts';
import { unknownTools } from '../../config/tools.ts';
import type { LoopDefinition } from '../../kernel/loop-definition.ts';
import { knownPrices } from '../../budget/price-list.ts';
import type { AppHost } from '../app-host.ts';
import { OptionsError } from './options-error.ts';
import { stateDirectoryFaults } from '../running/state-files.ts';
import { stat } from 'node:fs/promises';
import { askGit, lineOf } from '../../git/process/git.ts';
import { gitWorktree } from '../../git/git-worktree.ts';
import { EnvironmentError } from '../../actors/environment-error.ts';

/** Throws where a run cannot work in its directory. Most loops need git: what they verify needs a tree hash. */
async function checkEnvironment({ directory, loop: name }: RunSettings, loop: LoopDefinition): Promise<void> {
  const found = await stat(directory).catch(() => null);
  if (!found?.isDirectory()) {
    throw new EnvironmentError('no_directory', `${directory} is not a directory. Name one that exists.`);
  }
  if (loop.settings?.needsGit && !(await gitWorktree(directory))) {
    throw await noGit(directory, `a run of ${name} needs one`);
  }
}

/** Why a directory is in no work tree, and what helps. `need`: what needs one; `otherwise`: what helps as well. */
export async function noGit(directory: string, need: string, otherwise = ''): Promise<EnvironmentError> {
  const { stdout } = await askGit(['rev-parse', '--is-bare-repository'], { directory });
  const message =
    lineOf(stdout) === 'true'
      ? `${directory} is a bare repository, which has no files to work on. Run in a clone or a worktree of it`
      : `${directory} is in no git work tree, and ${need}. Run: git init ${directory}${otherwise}`;
  return new EnvironmentError('no_git', message);
}

export const ignoredFolder = (directory: string): EnvironmentError =>
  new EnvironmentError('no_git', `git ignores ${directory}, and with it all of the work. Name another folder`);

// What the settings of a run need of this machine.

type Services = Pick<AppHost, 'services'>;

/** How the models of a run are loaded. Returns warnings about them. */
type LoadModels = (
  services: AppHost['services'],
  settings: RunSettings,
  ofChildren: readonly string[],
) => Promise<readonly string[]>;

/**
 * Throws where its strategy, detectors, model or directory cannot be used. `loop`: the version that folds the run.
 * Returns warnings about its models.
 */
export async function assertRunnable(
  { services }: Services,
  settings: RunSettings,
  loop: LoopDefinition,
  load: LoadModels = loadedModels,
): Promise<readonly string[]> {
  const { strategy: configured, limits, directory, detectors } = settings;
  const { strategies, detectorFaults } = services;
  const faults = [...strategies.faults({ configured, limits, directory }), ...detectorFaults(detectors)];
  if (faults.length > 0) throw new OptionsError(faults);
  const warnings = await load(services, settings, loop.settings?.models?.(settings) ?? []);
  await checkEnvironment(settings, loop);
  return warnings;
}

/** Models that will be asked: each needs its key. */
const loadedModels: LoadModels = async ({ loadModel }, { model, fallbackModel = null, judge }, ofChildren) => {
  await loadModel(model, fallbackModel);
  for (const other of [...(judge === undefined ? [] : [judge]), ...ofChildren]) await loadModel(other);
  return [];
};

/** Models that are only described: a key that is missing, or no key at all, is a warning. */
export const describedModels: LoadModels = async (services, settings, ofChildren) => {
  try {
    return await loadedModels(services, settings, ofChildren);
  } catch (error) {
    if (error instanceof ModelError && error.code === 'authentication') return [error.message];
    throw error;
  }
};

/** Throws where a new run names a tool that there is not: its model would only miss it when it needs it. */
export function assertToolsKnown({ services }: Services, { tools }: RunSettings): void {
  const faults = unknownTools(tools, services.toolNames);
  if (faults.length > 0) throw new OptionsError(faults);
}

/**
 * Throws where the module of a custom strategy cannot be loaded. Only a run that begins with the strategy is checked:
 * one that has lost its module later ends when it needs it, and can be extended.
 */
export async function assertStrategyLoads(
  { services }: Services,
  { strategy: configured, limits, directory }: RunSettings,
): Promise<void> {
  const faults = await services.strategies.loadFaults({ configured, limits, directory });
  if (faults.length > 0) throw new OptionsError(faults);
}

/** Throws where its state files cannot be kept in the folder that it names. */
export async function assertStateDirectory(settings: RunSettings): Promise<void> {
  const faults = await stateDirectoryFaults(settings);
  if (faults.length > 0) throw new OptionsError(faults);
}

/** The prices of its models, where its cost is limited. Throws an `OptionsError` where one is unknown. */
export async function pricesOf(
  { services }: Services,
  settings: RunSettings,
  loop: LoopDefinition,
): Promise<RunSettings['prices']> {
  const known = await knownPrices(settings, services, loop.settings?.models?.(settings));
  if (known.kind === 'refused') throw new OptionsError(known.faults);
  return known.prices;
}
