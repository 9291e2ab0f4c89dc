import type { SnapshotStore } from '../snapshot-store.ts';
import type { OpenStore } from './open-store.ts';

/** The cached states of a SQLite log. */
export function sqliteSnapshots(store: OpenStore): SnapshotStore {
  const { snapshots } = store.tables;
  return {
    async saveSnapshot(snapshot) {
      store.assertOpen();
      return store.write(() => snapshots.save(snapshot));
    },

    async latestSnapshot(run, atMost = Number.MAX_SAFE_INTEGER) {
      return store.reading(() => {
        for (const segment of store.headCheck.segments(run).toReversed()) {
          const snapshot = snapshots.latest(segment, atMost);
          if (snapshot) return snapshot;
        }
        return null;
      });
    },
  };
}
