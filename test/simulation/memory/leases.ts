import { assertRunName } from '../../../src/log/effect-names.ts';
import { isDeadInThisBoot } from '../../../src/log/holder.ts';
import { acquire, lapsedHolder, livingHolder, release, renew } from '../../../src/log/lease.ts';
import type { Holder, LeaseStore } from '../../../src/log/lease-store.ts';
import { OwnLeases } from '../../../src/log/own-leases.ts';
import type { OpenStore } from './open-store.ts';

/** The leases of a log in memory. */
export function memoryLeases(store: OpenStore): LeaseStore {
  const { leases, inbox } = store;
  const own = new OwnLeases(store.monotonic);
  const clock = (root: string) => ({
    now: store.now(),
    isKnownDead: isDeadInThisBoot,
    isFresh: (holder: Holder) => own.isFresh(root, holder),
  });
  return {
    async acquire(root, holder, stale) {
      store.assertOpen();
      assertRunName(root);
      const taken = acquire(leases, root, { holder, stale }, clock(root));
      if (taken.kind === 'leased') own.renewed(taken.lease);
      return taken;
    },

    async renew(lease) {
      store.assertOpen();
      const renewed = renew(leases, lease, store.now());
      if (renewed.kind === 'renewed') own.renewed(lease);
      return renewed;
    },

    async release(lease) {
      store.assertOpen();
      return release(leases, lease, (root) => inbox.waiting(root).length);
    },

    async holder(root) {
      store.assertOpen();
      return livingHolder(leases.find(root), clock(root));
    },

    async lapsed(root) {
      store.assertOpen();
      return lapsedHolder(leases.find(root), clock(root));
    },
  };
}
