import type { DatabaseSync } from 'node:sqlite';
import { EventsTable } from './events-table.ts';
import { InboxTable } from './inbox-table.ts';
import { KnownState } from './state-format.ts';
import { LeasesTable } from './leases-table.ts';
import { OutboxTable } from './outbox-table.ts';
import { RunsTable } from './runs-table.ts';
import { SnapshotsTable } from './snapshots-table.ts';
import { SubmissionsTable } from './submissions-table.ts';

/** The tables of one store. What is decided and written together is one call of `OpenStore.write`. */
export class Tables {
  readonly events: EventsTable;
  readonly runs: RunsTable;
  readonly leases: LeasesTable;
  readonly inbox: InboxTable;
  readonly outbox: OutboxTable;
  readonly snapshots: SnapshotsTable;
  readonly submissions: SubmissionsTable;
  readonly known: KnownState;

  constructor(db: DatabaseSync) {
    this.events = new EventsTable(db);
    this.runs = new RunsTable(db, this.events);
    this.known = new KnownState(db);
    this.leases = new LeasesTable(db, this.known);
    this.inbox = new InboxTable(db);
    this.outbox = new OutboxTable(db);
    this.snapshots = new SnapshotsTable(db);
    this.submissions = new SubmissionsTable(db);
  }

  /** Drops what a transaction has learned that was rolled back. */
  rolledBack(): void {
    this.events.forgetTypes();
    this.known.forget();
  }
}
