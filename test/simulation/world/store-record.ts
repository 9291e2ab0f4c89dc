import type { StoredEvent } from '../../../src/log/chain.ts';
import type { Append } from '../../../src/log/event-store.ts';
import type { InboxCommand } from '../../../src/log/inbox-store.ts';
import type { LeaseRow } from '../../../src/log/lease.ts';
import { memoryInbox } from '../memory/inbox.ts';
import type { OpenStore } from '../memory/open-store.ts';
import { memoryEvents } from '../memory/run-events.ts';
import { memorySnapshots } from '../memory/snapshots.ts';
import type { StoredSnapshot } from '../../../src/log/log.ts';

type Kept = Omit<StoredEvent, 'salt'> & { readonly salt: string | null };

/** One transaction of a store, as its journal keeps it. */
export type StoreRecord =
  | { readonly kind: 'append'; readonly request: Append; readonly stored: readonly Kept[] }
  | { readonly kind: 'fork'; readonly request: { readonly from: string; readonly at: number; readonly to: string } }
  | { readonly kind: 'lease'; readonly root: string; readonly row: LeaseRow }
  | { readonly kind: 'post'; readonly run: string; readonly command: InboxCommand }
  | { readonly kind: 'reject'; readonly entry: number; readonly reason: string }
  | { readonly kind: 'snapshot'; readonly snapshot: StoredSnapshot };

/** The record of an append that the tables have just taken. */
export function appendRecord(tables: OpenStore, request: Append): StoreRecord {
  const own = tables.runs.find(request.run)?.own ?? [];
  const stored = own.slice(-request.events.length).map((event) => ({
    ...event,
    salt: event.salt === null ? null : Buffer.from(event.salt).toString('hex'),
  }));
  return { kind: 'append', request, stored };
}

/** Does what a record says, in the tables of a store that is being opened. */
export async function replayRecord(tables: OpenStore, record: StoreRecord): Promise<void> {
  switch (record.kind) {
    case 'append':
      await memoryEvents(tables).append(record.request);
      return restoreEvents(tables, record);
    case 'fork':
      return void (await memoryEvents(tables).fork(record.request));
    case 'lease':
      return tables.leases.save(record.root, record.row);
    case 'post':
      return void (await memoryInbox(tables).post(record.run, record.command));
    case 'reject':
      return memoryInbox(tables).reject(record.entry, record.reason);
    case 'snapshot':
      return memorySnapshots(tables).saveSnapshot(record.snapshot);
  }
}

/** The salts are those of then, and with them the hashes. */
function restoreEvents(tables: OpenStore, { request, stored }: Extract<StoreRecord, { kind: 'append' }>): void {
  const run = tables.runs.find(request.run);
  if (!run) throw new Error(`the journal has an append to ${request.run}, which its tables refuse`);
  const salted = stored.map((event) => ({
    ...event,
    salt: event.salt === null ? null : Buffer.from(event.salt, 'hex'),
  }));
  run.own.splice(run.own.length - stored.length, stored.length, ...salted);
}
