import type { InboxStore } from '../../../src/log/inbox-store.ts';
import { assertCommand } from '../../../src/log/prepare-events.ts';
import type { OpenStore } from './open-store.ts';

/** The inbox of a log in memory. */
export function memoryInbox(store: OpenStore): InboxStore {
  const { inbox, runs } = store;
  return {
    async post(run, command) {
      store.assertOpen();
      assertCommand(run, command);
      return inbox.post(runs.find(run)?.root ?? run, run, command, store.timestamp());
    },

    async inbox(root) {
      store.assertOpen();
      return inbox.waiting(root);
    },

    async waitingTrees() {
      store.assertOpen();
      return inbox.waitingTrees();
    },

    async reject(entry, reason) {
      store.assertOpen();
      inbox.settle(entry, { kind: 'rejected', reason });
    },

    async entry(entry) {
      store.assertOpen();
      return inbox.entry(entry);
    },
  };
}
