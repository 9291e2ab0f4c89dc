import type { InboxStore } from '../inbox-store.ts';
import type { OutboxStore } from '../outbox-store.ts';
import type { QueueStore } from '../queue-store.ts';
import type { OpenStore } from './open-store.ts';
import { sqliteQueue } from './task-queue.ts';
import { assertCommand } from '../prepare-events.ts';

/** What a SQLite log passes on: commands to a holder, reports to receivers, tasks to workers. */
export const sqliteDeliveries = (store: OpenStore): InboxStore & OutboxStore & QueueStore => ({
  ...sqliteInbox(store),
  ...sqliteOutbox(store),
  ...sqliteQueue(store),
});

/** The inbox of a SQLite log. */
function sqliteInbox(store: OpenStore): InboxStore {
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

/** The outbox of a SQLite log. */
function sqliteOutbox(store: OpenStore): OutboxStore {
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
