import type { RunSettings } from '../../../machines/settings.ts';
import type { RunOptions } from '../../config/options.ts';
import type { AppHost } from '../app-host.ts';
import { optionsOfThread } from './options-of-thread.ts';
import { pastMessages } from './past-messages.ts';
import { type PastRun, pastRun } from './past-run.ts';
import { withAccount } from './thread-account.ts';

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
