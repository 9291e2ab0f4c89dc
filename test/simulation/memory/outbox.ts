import type { OutboxStore } from '../../../src/log/outbox-store.ts';
import type { OpenStore } from './open-store.ts';

/** The outbox of a log in memory. */
export function memoryOutbox(store: OpenStore): OutboxStore {
  const { outbox } = store;
  return {
    async claimReport(claim) {
      store.assertOpen();
      return outbox.claim(claim, store.now());
    },

    async reportDelivered(claimed, by) {
      store.assertOpen();
      return outbox.deliver(claimed, by, store.now());
    },

    async reportFailed(claimed, by, failure) {
      store.assertOpen();
      return outbox.fail(claimed, by, failure, store.now());
    },

    async undelivered(run) {
      store.assertOpen();
      return outbox.undelivered(run);
    },

    async reports(run) {
      store.assertOpen();
      return outbox.ofRun(run);
    },

    async owesReports() {
      store.assertOpen();
      return outbox.isOwing();
    },

    async report(id, url) {
      store.assertOpen();
      return outbox.find(id, url);
    },
  };
}
