import type { OutboxStore } from '../outbox-store.ts';
import type { OpenStore } from './open-store.ts';

/** The outbox of a SQLite log. */
export function sqliteOutbox(store: OpenStore): OutboxStore {
  const { outbox } = store.tables;
  return {
    async claimReport(claim) {
      // Looked for without a transaction first: most of the time there is nothing to claim.
      if (store.reading(() => outbox.claimable(claim, store.now())) === null) return null;
      return store.write(() => outbox.claim(claim, store.now()));
    },

    async reportDelivered(claimed, by) {
      store.assertOpen();
      return store.write(() => outbox.deliver(claimed, by, store.now()));
    },

    async reportFailed(claimed, by, failure) {
      store.assertOpen();
      return store.write(() => outbox.fail(claimed, by, failure, store.now()));
    },

    async undelivered(run) {
      return store.reading(() => outbox.undelivered(run));
    },

    async reports(run) {
      return store.reading(() => outbox.ofRun(run));
    },

    async owesReports() {
      return store.reading(() => outbox.isOwing());
    },

    async report(id, url) {
      return store.reading(() => outbox.find(id, url));
    },
  };
}
