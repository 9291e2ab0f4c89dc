import { v7 as uuidv7, validate as isUuid, version as uuidVersion } from 'uuid';
import type { RunSettings } from '../../../machines/settings.ts';
import type { RunOptions } from '../../config/options.ts';
import { abandonWorktree } from '../isolation/abandon-worktree.ts';
import { inItsWorktree } from '../isolation/isolate-run.ts';
import type { AppHost } from '../app-host.ts';
import { toldSettings } from '../opening/settings-text.ts';
import { checkedRun, CheckedRun, loadChecked } from './prepare-run.ts';
import type { WantedProof } from '../proof/proof-request.ts';
import type { PastRun } from '../thread/past-run.ts';
import { assertStateFileFree } from './state-file-holder.ts';
import { OptionsError } from './options-error.ts';

/** Ids that sort by the time they were made at. */
const RUN_UUID_VERSION = 7;

/** Throws an `OptionsError` where an id is not a UUIDv7, or is that of a run in the log. */
export async function assertNewId({ log }: Pick<AppHost, 'log'>, run: string): Promise<void> {
  const fault = (expected: string) => ({ field: 'run', flag: null, value: run, expected, suggestion: null });
  if (!isUuid(run) || uuidVersion(run) !== RUN_UUID_VERSION) throw new OptionsError([fault('a UUID of version 7')]);
  if (await log.run(run)) throw new OptionsError([fault('the id of no run in this log')]);
}

/** A run whose options are checked, and whose folder is ready: nothing of it is recorded yet. */
interface StartableRun {
  readonly run: string;
  readonly settings: RunSettings;
  readonly warnings: readonly string[];
  readonly proof: WantedProof | null;
  /** The run whose conversation it continues. */
  readonly past: PastRun | null;
  /** It cannot begin: removes its worktree, and throws the reason again. */
  readonly abandon: (reason: unknown) => Promise<never>;
}

/** Checks the options of a new run, unless they were, and makes its worktree if it asks for one. */
export async function startableRun(
  host: AppHost,
  asked: RunOptions | CheckedRun,
  named?: string,
): Promise<StartableRun> {
  if (named !== undefined) await assertNewId(host, named);
  const run = named ?? uuidv7();
  if (asked instanceof CheckedRun) await loadChecked(host, asked);
  const { options, prepared } = asked instanceof CheckedRun ? asked : await checkedRun(host, asked);
  await assertStateFileFree(host, prepared.settings);
  const { settings: placed, warnings } = await inItsWorktree(host, run, prepared);
  const { proof } = prepared;
  const { settings, warnings: unread } = await toldSettings(host, options, { settings: placed, proof });
  return {
    run,
    settings,
    warnings: [...warnings, ...unread],
    proof,
    past: prepared.past,
    abandon: (reason) => abandonWorktree(run, settings, reason),
  };
}
