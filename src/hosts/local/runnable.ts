import type { RunSettings } from '../../../machines/settings.ts';
import { unknownTools } from '../../config/tools.ts';
import type { LoopDefinition } from '../../kernel/loop-definition.ts';
import { knownPrices } from './known-prices.ts';
import type { LocalHost } from './local-host.ts';
import { OptionsError } from './options-error.ts';
import { checkEnvironment } from './readiness.ts';
import { stateDirectoryFaults } from './state-files.ts';

// What the settings of a run need of this machine.

type Services = Pick<LocalHost, 'services'>;

/** Throws where its strategy, detectors, model or directory cannot be used. `loop`: the version that folds the run. */
export async function assertRunnable(
  { services }: Services,
  settings: RunSettings,
  loop: LoopDefinition,
): Promise<void> {
  const { strategy: configured, limits, directory, detectors } = settings;
  const { strategies, detectorFaults } = services;
  const faults = [...strategies.faults({ configured, limits, directory }), ...detectorFaults(detectors)];
  if (faults.length > 0) throw new OptionsError(faults);
  await services.loadModel(settings.model, settings.fallbackModel ?? null);
  if (settings.judge !== undefined) await services.loadModel(settings.judge);
  await checkEnvironment(settings, loop);
}

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
export async function pricesOf({ services }: Services, settings: RunSettings): Promise<RunSettings['prices']> {
  const known = await knownPrices(settings, services);
  if (known.kind === 'refused') throw new OptionsError(known.faults);
  return known.prices;
}
