import { resolve } from 'node:path';
import type { RunSettings } from '../../../machines/settings.ts';
import type { RunOptions } from '../../config/options.ts';
import { resolveSettings } from '../../config/resolve.ts';
import { completeChoice } from '../../detectors/complete-choice.ts';
import { definitionOf, type LoopDefinition } from '../../kernel/loop-definition.ts';
import { loopNamed } from '../../kernel/loop-named.ts';
import { rebuild } from '../../runtime/load-run.ts';
import { isolationOf, type WantedIsolation } from './isolation/isolable.ts';
import { knownPrices } from './known-prices.ts';
import type { LocalHost } from './local-host.ts';
import { OptionsError } from './options-error.ts';
import { checkEnvironment } from './readiness.ts';
import { shadowedChecks } from './shadowed-check.ts';
import { stateDirectoryFaults } from './state-files.ts';

// Everything that is checked before a run starts, resumes or continues, so that nothing is written where it cannot.

type Services = Pick<LocalHost, 'services'>;

/** Settings of a run that can start, and warnings about them. */
export interface PreparedRun {
  readonly settings: RunSettings;
  readonly warnings: readonly string[];
  /** Null: it works in the folder that it was given. */
  readonly isolated: WantedIsolation | null;
}

/** Resolves the options of a new run. Throws an `OptionsError`, a `ScriptError` or an `EnvironmentError`. */
export async function preparedRun(host: LocalHost, options: RunOptions): Promise<PreparedRun> {
  const { ceilings, definitions, services } = host;
  const resolved = resolveSettings(options, { ceilings, loops: definitions });
  if (resolved.kind === 'refused') throw new OptionsError(resolved.faults);
  // Absolute, because a run may be resumed from any working directory.
  const { directory, detectors } = resolved.settings;
  const settings = { ...resolved.settings, directory: resolve(directory), detectors: completeChoice(detectors) };
  await assertRunnable(host, settings, loopNamed(settings.loop, definitions));
  await assertStrategyLoads(host, settings);
  const faults = await stateDirectoryFaults(settings);
  if (faults.length > 0) throw new OptionsError(faults);
  const prices = await pricesOf(host, settings);
  return {
    isolated: await isolationOf(options, settings),
    settings: prices ? { ...settings, prices } : settings,
    warnings: [...resolved.warnings, ...services.strategies.warnings(settings), ...(await shadowedChecks(settings))],
  };
}

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
  await checkEnvironment(settings, loop);
}

/** Throws where a run cannot be resumed here. `migrate`: under the newest version of its machine. */
export async function assertResumable(host: LocalHost, run: string, migrate: boolean): Promise<void> {
  const { log, definitions } = host;
  const known = await rebuild(log, run, undefined, definitions);
  if (known.kind !== 'loaded') return;
  const { settings, state } = known;
  const loop = migrate ? loopNamed(settings.loop, definitions) : definitionOf(state.entry.id, definitions);
  await assertRunnable(host, settings, loop);
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

/** The prices of its models, where its cost is limited. Throws an `OptionsError` where one is unknown. */
export async function pricesOf({ services }: Services, settings: RunSettings): Promise<RunSettings['prices']> {
  const known = await knownPrices(settings, services);
  if (known.kind === 'refused') throw new OptionsError(known.faults);
  return known.prices;
}
