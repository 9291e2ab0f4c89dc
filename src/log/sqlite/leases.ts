import { assertRunName } from '../effect-names.ts';
import { isDeadInThisBoot } from '../holder.ts';
import { acquire, lapsedHolder, livingHolder, release, renew } from '../lease.ts';
import type { Holder, LeaseStore } from '../lease-store.ts';
import type { OpenStore } from './open-store.ts';

/** The leases of a SQLite log. A tree is taken only after all of its runs were compared with their heads. */
export function sqliteLeases(store: OpenStore): LeaseStore {
  const { own } = store;
  const { leases, inbox, runs } = store.tables;
  const clock = (root: string) => ({
    now: store.now(),
    isKnownDead: isDeadInThisBoot,
    isFresh: (holder: Holder) => own.isFresh(root, holder),
  });
  return {
    async acquire(root, holder, stale) {
      store.assertOpen();
      assertRunName(root);
      const taken = await store.write(() => {
        store.headCheck.segments(root);
        for (const { run } of runs.ofTree(root)) store.headCheck.segments(run);
        return acquire(leases, root, { holder, stale }, clock(root));
      });
      if (taken.kind === 'leased') own.renewed(taken.lease);
      return taken;
    },

    async renew(lease) {
      store.assertOpen();
      const renewed = await store.write(() => renew(leases, lease, store.now()));
      if (renewed.kind === 'renewed') own.renewed(lease);
      return renewed;
    },

    async release(lease) {
      store.assertOpen();
      return store.write(() => release(leases, lease, (root) => inbox.countWaiting(root)));
    },

    async holder(root) {
      return store.reading(() => livingHolder(leases.find(root), clock(root)));
    },

    async lapsed(root) {
      return store.reading(() => lapsedHolder(leases.find(root), clock(root)));
    },
  };
}
