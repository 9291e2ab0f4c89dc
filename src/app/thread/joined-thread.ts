import type { RunSettings } from '../../../machines/settings.ts';
import type { RunOptions } from '../../config/options.ts';
import type { AppHost } from '../app-host.ts';
import { pastMessages } from './past-messages.ts';
import { type PastRun, pastRun } from './past-run.ts';
import { withAccount } from './thread-account.ts';
import { type RecordedOptions, recordedOptions } from '../../config/recorded-options.ts';
import { optionsThat } from '../../options/option-table.ts';

/** Options that say what kind of run it is: with one of them, the loop and the strategy of the past do not count. */
const KINDS = ['loop', 'labels'] as const;
const OF_LOOP = ['loop', 'strategy', 'options', 'maxIterations'] as const;

const OF_PROOF = optionsThat(({ isOfProof }) => isOfProof === true) as readonly (keyof RecordedOptions)[];

/** The options of a run that continues another one: its own, and for what it does not say those of the other. */
function optionsOfThread(options: RunOptions, past: RunSettings): RunOptions {
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

export type { PastRun } from './past-run.ts';

/** What a new run asks for, with what it takes over from the run that it continues. */
interface AskedInThread {
  readonly past: PastRun | null;
  readonly options: RunOptions;
}

/** Throws an `OptionsError` where the run that is named cannot be continued. */
export async function askedInThread(host: AppHost, given: RunOptions): Promise<AskedInThread> {
  const past = await pastRun(host, given);
  return { past, options: past ? optionsOfThread(given, past.settings) : given };
}

/** A new run with the account and the past of its thread. Throws an `OptionsError` where no money is left. */
export async function inThread(
  host: AppHost,
  settings: RunSettings,
  { past, options }: AskedInThread,
): Promise<{ readonly settings: RunSettings; readonly warnings: readonly string[] }> {
  const accounted = withAccount(settings, past, options);
  if (!past) return { settings: accounted, warnings: [] };
  const { history, warnings } = await pastMessages(host, past, accounted);
  return { settings: { ...accounted, history }, warnings };
}
