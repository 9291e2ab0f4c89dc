import type { InboxStore } from '../inbox-store.ts';
import type { OutboxStore } from '../outbox-store.ts';
import type { QueueStore } from '../queue-store.ts';
import { sqliteInbox } from './inbox.ts';
import type { OpenStore } from './open-store.ts';
import { sqliteOutbox } from './outbox.ts';
import { sqliteQueue } from './task-queue.ts';

/** What a SQLite log passes on: commands to a holder, reports to receivers, tasks to workers. */
export const sqliteDeliveries = (store: OpenStore): InboxStore & OutboxStore & QueueStore => ({
  ...sqliteInbox(store),
  ...sqliteOutbox(store),
  ...sqliteQueue(store),
});
