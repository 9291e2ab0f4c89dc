import { assertRunName } from '../effect-names.ts';
import { isDeadInThisBoot } from '../holder.ts';
import { acquire, lapsedHolder, livingHolder, release, renew } from '../lease.ts';
import type { LeaseStore } from '../lease-store.ts';
import type { OpenStore } from './open-store.ts';

/** The leases of a log in memory. */
export function memoryLeases(store: OpenStore): LeaseStore {
  const { leases, inbox } = store;
  const clock = () => ({ now: store.now(), isKnownDead: isDeadInThisBoot });
  return {
    async acquire(root, holder, stale) {
      store.assertOpen();
      assertRunName(root);
      return acquire(leases, root, { holder, stale }, clock());
    },

    async renew(lease) {
      store.assertOpen();
      return renew(leases, lease, store.now());
    },

    async release(lease) {
      store.assertOpen();
      return release(leases, lease, (root) => inbox.waiting(root).length);
    },

    async holder(root) {
      store.assertOpen();
      return livingHolder(leases.find(root), clock());
    },

    async lapsed(root) {
      store.assertOpen();
      return lapsedHolder(leases.find(root), clock());
    },
  };
}
