import { LogError } from '../../../src/log/log.ts';
import type { StoreTime } from '../../../src/log/store-time.ts';
import { Watch } from '../../../src/log/watch.ts';
import { EventsTable } from './events-table.ts';
import { InboxTable } from './inbox-table.ts';
import { LeasesTable } from './leases-table.ts';
import { OutboxTable } from './outbox-table.ts';
import { RunsTable } from './runs-table.ts';
import { SnapshotsTable } from './snapshots-table.ts';

/** A store in memory, as the parts of the log share it. */
export class OpenStore {
  readonly store = 'memory:';
  readonly now: () => number;
  readonly monotonic: () => number;
  readonly watch = new Watch();
  readonly events = new EventsTable();
  readonly runs = new RunsTable();
  readonly leases = new LeasesTable();
  readonly inbox = new InboxTable();
  readonly outbox = new OutboxTable();
  readonly snapshots = new SnapshotsTable();
  #isClosed = false;

  constructor({ now, monotonic }: StoreTime) {
    this.now = now;
    this.monotonic = monotonic;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  readonly blobText = (sha: string): string | null => this.events.blobText(sha);

  timestamp(): string {
    return new Date(this.now()).toISOString();
  }

  assertOpen(): void {
    if (this.#isClosed) throw new LogError('unavailable', this.store, 'the log was closed', 'Open it again.');
  }

  close(): void {
    this.#isClosed = true;
    this.watch.changed();
  }
}
