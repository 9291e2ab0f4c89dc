import type { RunSettings } from '../../machines/settings.ts';
import { DEFAULT_DETECTORS } from '../detectors/profile.ts';
import { askedChecks } from './check-timeout.ts';
import { DEFAULT_MODEL, DEFAULT_PARALLEL_CALLS } from '../options/defaults.ts';
import type { ParsedOptions } from './options.ts';
import { parametersOf } from './parameters.ts';
import { DEFAULT_TOOLS } from './tools.ts';
import type { Permissions } from '../../machines/permissions.ts';

/** What its loop makes of the options. */
type OfLoop = Pick<RunSettings, 'loop' | 'limits' | 'attemptLimits' | 'strategy' | 'graceMs'>;

/** The settings that options say, each with its default. */
export const settingsOf = (asked: ParsedOptions, ofLoop: OfLoop): RunSettings => ({
  ...ofLoop,
  prompt: asked.prompt,
  system: asked.system ?? null,
  ...(asked.systemAppend === undefined ? {} : { systemAppend: asked.systemAppend }),
  model: asked.model ?? DEFAULT_MODEL,
  fallbackModel: asked.fallbackModel ?? null,
  ...(asked.judge === undefined ? {} : { judge: asked.judge }),
  ...parametersOf(asked),
  agent: asked.agent ?? null,
  tools: asked.tools ?? [...DEFAULT_TOOLS],
  ...permissionsOf(asked),
  ...(asked.hooks && asked.hooks.length > 0 ? { hooks: asked.hooks } : {}),
  environment: asked.environment ?? [],
  maxParallel: asked.maxParallel ?? DEFAULT_PARALLEL_CALLS,
  directory: asked.directory ?? '.',
  checks: askedChecks(asked),
  ...(asked.accept === undefined ? {} : { accept: asked.accept }),
  ci: asked.ci ?? null,
  ...(asked.captureLimit === undefined ? {} : { captureLimit: asked.captureLimit }),
  detectors: asked.detectors ?? [...DEFAULT_DETECTORS],
  ...(asked.polling && asked.polling.length > 0 ? { polling: asked.polling } : {}),
  summaryTokens: asked.summaryTokens ?? 0,
  stateDirectory: asked.stateDirectory ?? null,
  parent: null,
});

/**
 * The rules of a run from its options. Without any, its calls go as they would without rules; who does not want to wait
 * for a person has none.
 */
function permissionsOf({
  permissions = [],
  permissionProfile: profile,
  wait,
}: Pick<ParsedOptions, 'permissions' | 'permissionProfile' | 'wait'>): { readonly permissions?: Permissions } {
  if (permissions.length === 0 && profile === undefined && wait !== false) return {};
  return {
    permissions: {
      rules: permissions,
      ...(profile === undefined ? {} : { profile }),
      ...(wait === false ? { unattended: true } : {}),
    },
  };
}
