import type { Json } from './envelope.ts';
import { timestamp } from './timestamp.ts';

/** The part of a log in which processes without the lease leave commands for the process that holds it. */
export interface InboxStore {
  /** Leaves a command for the holder of the run's tree. */
  post(run: string, command: InboxCommand): Promise<InboxEntry>;
  /** The waiting entries of a tree, oldest first. */
  inbox(root: string): Promise<readonly InboxEntry[]>;
  /** The roots of the trees for which entries wait. */
  waitingTrees(): Promise<readonly string[]>;
  reject(entry: number, reason: string): Promise<void>;
  entry(entry: number): Promise<InboxEntry | null>;
}

/** An event that a process without the lease asks for. */
export interface InboxCommand {
  readonly type: string;
  readonly payload: Json;
}

export interface InboxEntry extends InboxCommand {
  readonly id: number;
  readonly run: string;
  readonly at: string;
  readonly status:
    | { readonly kind: 'waiting' }
    | { readonly kind: 'delivered'; readonly version: number }
    | { readonly kind: 'rejected'; readonly reason: string };
}

/** How often a holder looks for commands from other processes, at most. */
export const INBOX_POLL_MS = 250;

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
