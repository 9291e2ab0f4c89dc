import type { InboxStore } from '../inbox-store.ts';
import { assertCommand } from '../prepare-events.ts';
import type { OpenStore } from './open-store.ts';

/** The inbox of a SQLite log. */
export function sqliteInbox(store: OpenStore): InboxStore {
  const { inbox, runs } = store.tables;
  return {
    async post(run, command) {
      store.assertOpen();
      assertCommand(run, command);
      return store.write(() => inbox.post(runs.find(run)?.root ?? run, run, command, store.now()));
    },

    async inbox(root) {
      return store.reading(() => inbox.waiting(root));
    },

    async waitingTrees() {
      return store.reading(() => inbox.waitingTrees());
    },

    async reject(entry, reason) {
      store.assertOpen();
      return store.write(() => inbox.reject(entry, reason));
    },

    async entry(entry) {
      return store.reading(() => inbox.entry(entry));
    },
  };
}
