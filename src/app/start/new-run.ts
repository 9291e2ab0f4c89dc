import type { RunOptions } from '../../config/options.ts';
import type { Lease } from '../../log/lease-store.ts';
import type { Watch } from '../../runtime/own-tree.ts';
import { markStart } from '../running/mark-workspace.ts';
import { underHold } from '../holds/under-hold.ts';
import { listening, type LiveRun, liveRun } from '../running/live-runs.ts';
import type { AppHost } from '../app-host.ts';
import { EnvironmentError } from '../../actors/environment-error.ts';
import { assertStateFileFree } from './state-file-holder.ts';
import { leftSettingsText, settingsAround } from '../proof/settings-left.ts';
import { provenStart } from '../proof/start-of-proof.ts';
import { changedSince, withMessage } from '../thread/change-since.ts';
import type { CheckedRun } from './prepare-run.ts';
import { startableRun } from './startable-run.ts';

/** The id of a run to come, or the lease that this process holds on it. */
export type Named = string | Lease;

interface HowToBegin {
  readonly watch: Watch | undefined;
  /** Its id, where the caller gives it, or the lease that it holds on it. */
  readonly named: Named | undefined;
}

/**
 * Begins a new run: its options are checked, it takes its workspace, which is captured, and the runtime starts it.
 * Throws a `WorkspaceHeldError`, with nothing recorded, where another run may write there.
 */
export async function newRun(
  host: AppHost,
  asked: RunOptions | CheckedRun,
  { watch, named }: HowToBegin,
): Promise<LiveRun> {
  const { run, settings, warnings, proof, past, abandon } = await startableRun(
    host,
    asked,
    typeof named === 'object' ? named.root : named,
  );
  const begin = async () => {
    // Again, because another run may have written its file before this one held it.
    await assertStateFileFree(host, settings);
    const at = new Date().toISOString();
    const { hash: start, failure } = await markStart({ host, run, settings });
    if (proof && failure !== null) throw new EnvironmentError('no_git', noBase(failure));
    const changed = past && (await changedSince(past, settings, start));
    const told = changed ? { ...settings, history: withMessage(settings.history ?? [], changed.message) } : settings;
    const listener = listening(host, watch);
    const left = start === null ? [] : await settingsAround(host, { run, settings });
    const proven = proof && start ? await provenStart(host, proof, { run, settings, base: start, at }, left) : null;
    const started = proven ? { ...told, proof: proven.proof } : told;
    const live = await (named === undefined
      ? host.supervisor.startDrawn(started, listener.watch, run)
      : host.supervisor.start(started, listener.watch, named));
    return liveRun(host, live, listener, {
      warnings: [
        ...warnings,
        ...(changed ? [changed.warning] : []),
        ...leftSettingsText(left),
        ...(proven?.warnings ?? []),
      ],
    });
  };
  try {
    return await underHold(host, { run, settings }, begin);
  } catch (error) {
    // A recorded run can be resumed, whatever was thrown after that: it keeps its worktree and its captures.
    if (await mayBeRecorded(host, run)) throw error;
    return abandon(error);
  }
}

const noBase = (failure: string) =>
  `git could not capture the folder as it is, so there is nothing to prove the work against: ${failure} ` +
  'Mend that, or let the checks run in the folder, with --check-in workspace';

const mayBeRecorded = ({ log }: AppHost, run: string): Promise<boolean> =>
  log.run(run).then(
    (record) => record !== null,
    () => true,
  );
