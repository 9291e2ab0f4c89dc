import type { RunSettings } from '../../../machines/settings.ts';
import type { RunOptions } from '../../config/options.ts';
import type { AppHost } from '../app-host.ts';
import type { PreparedRun } from '../start/prepared-run.ts';
import { instructedSettings } from './instructed-settings.ts';
import { openedSettings } from './opened-settings.ts';

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
