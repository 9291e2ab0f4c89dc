import type { Json } from './envelope.ts';

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
