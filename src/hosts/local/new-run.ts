import type { RunOptions } from '../../config/options.ts';
import type { Watch } from '../../runtime/own-tree.ts';
import { markStart } from './captured-ends.ts';
import { underHold } from './holds/under-hold.ts';
import { listening, type LiveRun, liveRun } from './live-runs.ts';
import type { LocalHost } from './local-host.ts';
import { assertStateFileFree } from './state-file-holder.ts';
import { startableRun } from './startable-run.ts';

interface HowToBegin {
  readonly watch: Watch | undefined;
  /** Its id, where the caller gives it. */
  readonly named: string | undefined;
}

/**
 * Begins a new run: its options are checked, it takes its workspace, which is captured, and the runtime starts it.
 * Throws a `WorkspaceHeldError`, with nothing recorded, where another run may write there.
 */
export async function newRun(host: LocalHost, options: RunOptions, { watch, named }: HowToBegin): Promise<LiveRun> {
  const { run, settings, warnings, abandon } = await startableRun(host, options, named);
  const begin = async () => {
    // Again, because another run may have written its file before this one held it.
    await assertStateFileFree(host, settings);
    await markStart({ host, run, settings });
    const listener = listening(watch);
    const live = await host.supervisor.start(settings, listener.watch, run);
    return liveRun(host, live, listener, { warnings });
  };
  try {
    return await underHold(host, { run, settings }, begin);
  } catch (error) {
    // A recorded run can be resumed, whatever was thrown after that: it keeps its worktree and its captures.
    if (await mayBeRecorded(host, run)) throw error;
    return abandon(error);
  }
}

const mayBeRecorded = ({ log }: LocalHost, run: string): Promise<boolean> =>
  log.run(run).then(
    (record) => record !== null,
    () => true,
  );
