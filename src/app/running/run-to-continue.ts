import type { Remade } from '../../../machines/events.ts';
import type { Lease } from '../../log/lease-store.ts';
import type { Live, Watch } from '../../runtime/own-tree.ts';
import { markAgain } from './mark-workspace.ts';
import { againUnderHold } from '../holds/under-hold.ts';
import { returnWithExperiment } from '../isolation/return-with-experiment.ts';
import { listening, liveRun, type WithLiveRun } from './live-runs.ts';
import type { AppHost } from '../app-host.ts';
import { assertRecordedPlace } from './place-of-record.ts';

/** What the runtime says to a run that is to work again, and warnings about its settings. */
interface Begun<Result> {
  readonly result: Result;
  readonly warnings?: readonly string[];
}

type Begin<Result> = (
  watch: Watch,
  remade: Remade | null,
) => Promise<Begun<Result | { readonly kind: 'live'; readonly live: Live }>>;

/**
 * Lets a recorded run work again, in its workspace, which it holds if it may write there. `begin` resumes or continues
 * it; `lease` is the one that the caller holds on it. Throws a `WorkspaceHeldError` where another run holds the
 * workspace, and as `assertRecordedPlace` does.
 */
export async function continuedRun<Result extends { readonly kind: string }>(
  host: AppHost,
  run: string,
  watch: Watch | undefined,
  begin: Begin<Result>,
  lease?: Lease,
): Promise<WithLiveRun<Result>> {
  await assertRecordedPlace(host.log, run);
  return againUnderHold<Result>(host, run, () => inItsWorkspace(host, { run, lease }, watch, begin));
}

/**
 * Lets it work where it worked before: a worktree that is gone is made again first. With no live run, nothing that was
 * made for it is left.
 */
async function inItsWorkspace<Result extends { readonly kind: string }>(
  host: AppHost,
  { run, lease }: { readonly run: string; readonly lease: Lease | undefined },
  watch: Watch | undefined,
  begin: Begin<Result>,
): Promise<WithLiveRun<Result>> {
  const worktree = await returnWithExperiment(host, run, lease);
  const listener = listening(host, watch);
  const captures = await markAgain(host, run).catch(async (error: unknown) => {
    // What this leaves `gc` removes: it must not take the place of the reason.
    await worktree.refused().catch(() => {});
    throw error;
  });
  const refused = async () => {
    await captures.refused();
    await worktree.refused();
  };
  const begun = await begin(listener.watch, worktree.remade).catch(async (error: unknown) => {
    await refused().catch(() => {});
    throw error;
  });
  const { result, warnings = [] } = begun;
  if (!isLive(result)) {
    await refused();
    return result as Exclude<Result, { kind: 'live' }>;
  }
  const { live } = result;
  await worktree.begun(live.run);
  const about = { warnings: [...worktree.warnings, ...warnings], marked: captures.begun(live.run) };
  return { kind: 'live', live: await liveRun(host, live, listener, about) };
}

const isLive = (result: { readonly kind: string }): result is { readonly kind: 'live'; readonly live: Live } =>
  result.kind === 'live';
