import { assertRunName } from '../effect-names.ts';
import { isDeadInThisBoot } from '../holder.ts';
import { acquire, lapsedHolder, livingHolder, release, renew } from '../lease.ts';
import type { LeaseStore } from '../lease-store.ts';
import type { OpenStore } from './open-store.ts';

/** The leases of a SQLite log. A tree is taken only after all of its runs were compared with their heads. */
export function sqliteLeases(store: OpenStore): LeaseStore {
  const { leases, inbox, runs } = store.tables;
  const clock = () => ({ now: store.now(), isKnownDead: isDeadInThisBoot });
  return {
    async acquire(root, holder, stale) {
      store.assertOpen();
      assertRunName(root);
      return store.write(() => {
        store.headCheck.segments(root);
        for (const { run } of runs.ofTree(root)) store.headCheck.segments(run);
        return acquire(leases, root, { holder, stale }, clock());
      });
    },

    async renew(lease) {
      store.assertOpen();
      return store.write(() => renew(leases, lease, store.now()));
    },

    async release(lease) {
      store.assertOpen();
      return store.write(() => release(leases, lease, (root) => inbox.countWaiting(root)));
    },

    async holder(root) {
      return store.reading(() => livingHolder(leases.find(root), clock()));
    },

    async lapsed(root) {
      return store.reading(() => lapsedHolder(leases.find(root), clock()));
    },
  };
}
