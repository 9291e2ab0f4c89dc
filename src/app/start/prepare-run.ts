import { resolve } from 'node:path';
import type { RunSettings } from '../../../machines/settings.ts';
import type { RunOptions } from '../../config/options.ts';
import { resolveSettings } from '../../config/resolve.ts';
import { detectorsOf } from '../../loops/turn/detectors-of.ts';
import { loopNamed } from '../../kernel/loop-named.ts';
import type { AppHost } from '../app-host.ts';
import { assertTaken, withLoopDefaults, wantedPlaces, type WantedPlaces } from './loop-demands.ts';
import { OptionsError } from './options-error.ts';
import { webhooksOf } from './webhooks-of-start.ts';
import { promptParts } from './prompt-parts.ts';
import { assertRunnable, assertStateDirectory, assertStrategyLoads, assertToolsKnown, pricesOf } from './runnable.ts';
import { checksBesideLog } from './checks-beside-log.ts';
import { startWarnings } from './start-warnings.ts';
import { askedInThread, inThread, type PastRun } from '../thread/join-thread.ts';

// Everything that is checked before a run starts, so that nothing is written where it cannot.

/** Settings of a run that can start, and warnings about them. */
export interface PreparedRun extends WantedPlaces {
  readonly settings: RunSettings;
  /** The run whose conversation it continues. */
  readonly past: PastRun | null;
  readonly warnings: readonly string[];
}

/** A run whose options were checked. What starts it has not to check them again. */
export class CheckedRun {
  readonly options: RunOptions;
  readonly prepared: PreparedRun;

  constructor(options: RunOptions, prepared: PreparedRun) {
    this.options = options;
    this.prepared = prepared;
  }
}

/** Checks the options of a new run. Throws as `preparedRun` does. */
export const checkedRun = async (host: AppHost, options: RunOptions): Promise<CheckedRun> =>
  new CheckedRun(options, await preparedRun(host, options));

/** Loads what a checked run needs where it starts, which may be over another log than the one it was checked with. */
export async function loadChecked(host: AppHost, { prepared: { settings } }: CheckedRun): Promise<void> {
  await assertRunnable(host, settings, loopNamed(settings.loop, host.definitions));
  await assertStrategyLoads(host, settings);
}

/**
 * Resolves the options of a new run. Throws an `OptionsError`, a `ScriptError` or an `EnvironmentError`. `load`: how
 * its models are loaded.
 */
export async function preparedRun(
  host: AppHost,
  written: Parameters<typeof askedInThread>[1],
  load?: Parameters<typeof assertRunnable>[3],
): Promise<PreparedRun> {
  const given = withLoopDefaults(written, host.definitions);
  const asked = await askedInThread(host, given);
  const { past, options } = asked;
  const { ceilings, definitions } = host;
  const { recordedModel } = host.services;
  const named = recordedModel === null ? options : { ...options, model: options.model ?? recordedModel };
  const resolved = resolveSettings(named, { ceilings, loops: definitions });
  if (resolved.kind === 'refused') throw new OptionsError(resolved.faults);
  // Absolute, because a run may be resumed from any working directory.
  const { directory, detectors: chosen } = resolved.settings;
  const detectors = detectorsOf(chosen, resolved.settings);
  const alone = {
    ...resolved.settings,
    directory: resolve(directory),
    detectors,
    ...(await promptParts(options, resolved.settings)),
  };
  const { settings, warnings } = await inThread(host, alone, asked);
  assertToolsKnown(host, settings);
  const unloaded = await assertRunnable(host, settings, loopNamed(settings.loop, definitions), load);
  await assertStrategyLoads(host, settings);
  await assertStateDirectory(settings);
  const webhooks = webhooksOf(host, options, settings);
  const loop = loopNamed(settings.loop, definitions);
  const prices = await pricesOf(host, settings, loop);
  const places = await wantedPlaces(options, settings, loop);
  await assertTaken(host, loop, settings, places);
  const sandbox = await host.services.wantedSandbox(options, settings, loop.settings?.models?.(settings));
  const unwalled = askedWithoutWalls(host, settings, sandbox);
  const permissions = await rememberedIn(host, { ...settings, ...unwalled.settings });
  return {
    ...places,
    past,
    settings: {
      ...settings,
      checks: await checksBesideLog(host, settings),
      ...webhooks.settings,
      ...sandbox.settings,
      ...unwalled.settings,
      ...permissions,
      ...(prices ? { prices } : {}),
    },
    warnings: [
      ...resolved.warnings,
      ...unloaded,
      ...warnings,
      ...(await startWarnings(host, { options, settings, places })),
      ...webhooks.warnings,
      ...sandbox.warnings,
      ...unwalled.warnings,
    ],
  };
}

/**
 * The profile of a run whose walls cannot stand, where a person attends it and has said nothing of permissions: they
 * are asked about commands. Without a person commands go, with the warning about the walls.
 */
function askedWithoutWalls(
  { services }: AppHost,
  { permissions }: RunSettings,
  { settings, warnings }: Awaited<ReturnType<AppHost['services']['wantedSandbox']>>,
): { readonly settings: Pick<RunSettings, 'permissions'>; readonly warnings: readonly string[] } {
  const isOpen = warnings.length > 0 && !('sandbox' in settings);
  if (!isOpen || permissions || services.attendant === null) return { settings: {}, warnings: [] };
  const warning = 'So you are asked about each command (the profile edit). --permission-profile all lets them go.';
  return { settings: { permissions: { rules: [], profile: 'edit' } }, warnings: [warning] };
}

/** The rules of a run with what a person has allowed for good in its project. */
async function rememberedIn(
  { permitted }: AppHost,
  { permissions, directory }: RunSettings,
): Promise<Pick<RunSettings, 'permissions'>> {
  if (!permissions) return {};
  const remembered = await permitted(directory);
  return remembered.length === 0 ? {} : { permissions: { ...permissions, remembered: [...remembered] } };
}
