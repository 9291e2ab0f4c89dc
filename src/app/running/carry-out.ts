import type { RunOptions } from '../../config/options.ts';
import { lifeOf } from '../../kernel/fold.ts';
import { thisProcess } from '../../log/holder.ts';
import type { Lease } from '../../log/lease-store.ts';
import type { Watch } from '../../runtime/own-tree.ts';
import type { Resumed } from '../../runtime/resume-run.ts';
import { rebuild } from '../../runtime/load-run.ts';
import { renewLease } from '../../runtime/tree-lease.ts';
import type { WithLiveRun } from './live-runs.ts';
import type { App } from '../app.ts';

/**
 * Carries a run out under an id, however often it is asked for: starts it where the log does not know it, resumes it
 * where it was left, and says how it ended where it has. `held`: another process works on it, so that this request has
 * nothing to do. One that was lost is succeeded when its lease has run out, by its epoch alone.
 *
 * `named` is a UUIDv7, such as the id of a job of a queue. Throws as `Loops.start` does.
 *
 * @example
 * const result = await carryOut(loops, { prompt: 'Make the tests pass.', checks: ['npm test'] }, job.id);
 * if (result.kind === 'live') await result.live.done;
 */
export async function carryOut(
  loops: App,
  options: RunOptions,
  named: string,
  watch?: Watch,
): Promise<WithLiveRun<Resumed>> {
  const { log } = loops;
  const over = await endOf(loops, named);
  if (over) return over;
  const taken = await log.acquire(named, thisProcess());
  if (taken.kind === 'held') return { ...taken, run: named };
  const { lease } = taken;
  // A worktree may take longer to make than a lease lasts.
  const endRenewal = renewLease({ log, lease }, () => {});
  try {
    const begun = await beginUnder(loops, options, lease, watch);
    if (begun.kind !== 'live') await log.release(lease);
    return begun;
  } catch (error) {
    await log.release(lease).catch(() => {});
    throw error;
  } finally {
    endRenewal();
  }
}

async function beginUnder(
  loops: App,
  options: RunOptions,
  lease: Lease,
  watch: Watch | undefined,
): Promise<WithLiveRun<Resumed>> {
  const { root } = lease;
  // It may have ended, or begun, since it was looked for.
  const over = await endOf(loops, root);
  if (over) return over;
  if (await loops.log.run(root)) return loops.resume(root, watch, { lease });
  return { kind: 'live', live: await loops.start(options, watch, lease) };
}

async function endOf({ log, definitions }: App, run: string): Promise<Extract<Resumed, { kind: 'over' }> | null> {
  const closed = (await log.run(run))?.closed ?? null;
  if (closed === null) return null;
  const rebuilt = await rebuild(log, run, undefined, definitions);
  const outcome = rebuilt.kind === 'loaded' ? lifeOf(rebuilt.state).outcome : null;
  return outcome && { kind: 'over', outcome };
}
