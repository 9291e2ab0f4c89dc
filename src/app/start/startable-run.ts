import { v7 as uuidv7 } from 'uuid';
import type { RunSettings } from '../../../machines/settings.ts';
import type { RunOptions } from '../../config/options.ts';
import { abandonWorktree } from '../isolation/abandon-worktree.ts';
import { inItsWorktree } from '../isolation/isolate-run.ts';
import type { AppHost } from '../app-host.ts';
import { assertNewId } from './new-run-id.ts';
import { toldSettings } from '../opening/settings-text.ts';
import { preparedRun } from './prepare-run.ts';
import type { WantedProof } from '../proof/proof-request.ts';
import type { PastRun } from '../thread/past-run.ts';
import { assertStateFileFree } from './state-file-holder.ts';

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

/** Checks the options of a new run, and makes its worktree if it asks for one. */
export async function startableRun(host: AppHost, options: RunOptions, named?: string): Promise<StartableRun> {
  if (named !== undefined) await assertNewId(host, named);
  const run = named ?? uuidv7();
  const prepared = await preparedRun(host, options);
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
