import type { EventOf } from '../../machines/events.ts';
import { lifeOf, type RunState } from '../kernel/fold.ts';
import type { InboxEntry } from '../log/inbox-store.ts';
import type { IntactTree } from './intact.ts';
import { lastSignOf } from './last-activity.ts';
import type { LoopRun } from './loop-run.ts';
import { reopenRun, runTree, type RuntimeParts } from './own-tree.ts';
import { later, resumed } from './resume-or-stop.ts';
import type { Tree } from './run-tree.ts';
import { type NotTakenLease, takeLease } from './take-lease.ts';
import { settleUnowned } from './tree-without-owner.ts';

/** Settles the inbox of a tree whose lease is free. Null: it did; else the lease of another process. */
export async function settleFreeTree(
  parts: RuntimeParts,
  root: string,
  intact: IntactTree,
): Promise<NotTakenLease | null> {
  const { log } = parts;
  const leased = await takeLease(parts, root, false);
  if (leased.kind === 'held') return leased;
  const { lease } = leased;
  for (;;) {
    const abort = await settleUnowned({ ...parts, root, intact, epoch: lease.epoch });
    if (abort) {
      const { done } = await runTree(parts, lease, undefined, (tree) => resumeToAbort(parts, tree, root, abort));
      await done;
      return null;
    }
    const released = await log.release(lease);
    if (released.kind !== 'inbox_waiting') return null;
  }
}

async function resumeToAbort(
  parts: RuntimeParts,
  tree: Tree,
  root: string,
  { id, payload }: InboxEntry,
): Promise<LoopRun> {
  const { log } = parts;
  const idleSince = await lastSignOf(log, root);
  return reopenRun(parts, tree, root, (loaded) => {
    // Its process died while it was aborting: once resumed it has its grace again, and gets this command by the inbox.
    if (isAborting(loaded.state)) return { event: resumed(later(idleSince, loaded.idleSince), tree.now()) };
    return { event: { type: 'abort.requested', payload } as EventOf<'abort.requested'>, entry: id };
  });
}

const isAborting = (state: RunState): boolean => Object.values(lifeOf(state).pending).includes('told');
