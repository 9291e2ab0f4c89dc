import { z } from 'zod';
import { type Option, OPTIONS } from './config.ts';
import type { ConfigFile } from './config-file.ts';

/**
 * What a file of somebody else may decide without being asked about: it sends nothing elsewhere, shows no secret, and runs
 * nothing that a model with a shell in the same folder would not run anyway.
 */
const HARMLESS: ReadonlySet<Option> = new Set<Option>([
  'loop',
  'model',
  'fallbackModel',
  'tools',
  'maxIterations',
  'maxSteps',
  'maxToolCalls',
  'maxTokens',
  'maxTime',
  'maxCost',
  'summaryTokens',
  'detectors',
  'graceMs',
  'outputFormat',
  'checks',
]);

/** Why a project's file has to be trusted before it counts; null where it need not be. */
export function reasonToAsk({ json, isOthers }: ConfigFile): string | null {
  if (isOthers) return 'others can change it';
  if (json === null) return 'it is code';
  if (typeof json.value !== 'object' || json.value === null) return null;
  const said = new Map(Object.entries(json.value));
  // A key that is no option does nothing: it is refused as soon as the file is read.
  const grave = OPTIONS.filter((option) => said.has(option) && !isHarmless(option, said.get(option)));
  return grave.length === 0 ? null : `it sets ${grave.join(', ')}`;
}

const isHarmless = (option: Option, value: unknown): boolean =>
  option === 'providers' ? onlyPrices(value) : HARMLESS.has(option) && !isScript(value);

/** To say what a model costs sends no key anywhere. */
const onlyPrices = (value: unknown): boolean => z.record(z.string(), z.strictObject({ prices: z.unknown() })).safeParse(value).success;

/** A scripted model calls the tools it likes. */
const isScript = (value: unknown) => typeof value === 'string' && value.startsWith('script:');
