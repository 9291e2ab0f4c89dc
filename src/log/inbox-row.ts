import type { Json } from './envelope.ts';
import type { InboxEntry } from './inbox-store.ts';
import { timestamp } from './timestamp.ts';

/** A row of the table `inbox`, which every database has alike, without the tree that it is listed in. */
export interface InboxRow {
  readonly id: number;
  readonly run: string;
  readonly type: string;
  readonly payload: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly delivered: number | null;
  readonly rejected: string | null;
}

export const INBOX_COLUMNS = 'id, run, type, payload, at, delivered, rejected';
export const IS_WAITING = 'delivered IS NULL AND rejected IS NULL';

/** The entry that a row is. */
export const entryOf = ({ id, run, type, at, ...row }: InboxRow, payload: Json): InboxEntry => ({
  id,
  run,
  type,
  payload,
  at: timestamp(at),
  status: statusOf(row),
});

function statusOf({ delivered, rejected }: Pick<InboxRow, 'delivered' | 'rejected'>): InboxEntry['status'] {
  if (delivered !== null) return { kind: 'delivered', version: delivered };
  return rejected === null ? { kind: 'waiting' } : { kind: 'rejected', reason: rejected };
}
