import type { SnapshotStore } from '../../../src/log/log.ts';
import type { OpenStore } from './open-store.ts';

/** The cached states of a log in memory. */
export function memorySnapshots(store: OpenStore): SnapshotStore {
  const { runs, snapshots } = store;
  return {
    async saveSnapshot(snapshot) {
      store.assertOpen();
      snapshots.save(snapshot);
    },

    async latestSnapshot(run, atMost = Infinity) {
      store.assertOpen();
      let to = atMost;
      for (let owner = runs.find(run); owner; owner = owner.prefix?.of ?? null) {
        const here = owner;
        const found = snapshots.latest(here.run, here.shared + 1, to, (version) => here.at(version)?.hash ?? null);
        if (found) return found;
        to = Math.min(to, here.shared);
      }
      return null;
    },
  };
}
