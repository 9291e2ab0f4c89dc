import type { RunSettings } from '../../../machines/settings.ts';
import { type RecordedOptions, recordedOptions } from '../../config/recorded-options.ts';
import type { RunOptions } from '../../config/options.ts';
import { optionsThat } from '../../options/option-table.ts';

/** Options that say what kind of run it is: with one of them, the loop and the strategy of the past do not count. */
const KINDS = ['loop', 'labels'] as const;
const OF_LOOP = ['loop', 'strategy', 'options', 'maxIterations'] as const;

const OF_PROOF = optionsThat(({ isOfProof }) => isOfProof === true) as readonly (keyof RecordedOptions)[];

/** The options of a run that continues another one: its own, and for what it does not say those of the other. */
export function optionsOfThread(options: RunOptions, past: RunSettings): RunOptions {
  const recorded: Partial<RecordedOptions> = recordedOptions(past);
  const leaves = new Set<keyof RecordedOptions>();
  const isGiven = (option: keyof RunOptions) => options[option] !== undefined;
  if (KINDS.some(isGiven)) for (const option of OF_LOOP) leaves.add(option);
  if (past.loop === 'turn' && (isGiven('checks') || isGiven('strategy'))) leaves.add('loop');
  // The number of iterations may be said in its config.
  if (isGiven('strategy')) leaves.add('maxIterations');
  if (isGiven('agent')) for (const option of ['system', 'systemAppend'] as const) leaves.add(option);
  if (options.checkIn === 'workspace') for (const option of OF_PROOF) leaves.add(option);
  const kept = Object.entries(recorded).filter(([option]) => !leaves.has(option as keyof RecordedOptions));
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(kept), ...Object.fromEntries(given), prompt: options.prompt };
}
