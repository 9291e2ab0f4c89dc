import type { Holder } from './lease-store.ts';

/**
 * The part of a log that keeps what has to be delivered elsewhere until it is. Rows are written in the transaction of
 * the event that they report (`Append.reports`), and are no events: a run that has ended takes none.
 */
export interface OutboxStore {
  /**
   * Claims a row to try: the first of its run and URL that is still owed, where it is due and no living process has
   * claimed it. Counts as a try. A claim that ends more than a day from now holds nothing, as with leases. Null: there
   * is none at this time.
   */
  claimReport(claim: Claim): Promise<Report | null>;
  /** The receiver has it. False: the claim has expired, and another process has claimed the row since. */
  reportDelivered(claimed: Report, by: Holder): Promise<boolean>;
  /**
   * The try failed: the next one is due in `againInMs`; null gives the row up, and the next of its URL is due. False as
   * for `reportDelivered`.
   */
  reportFailed(claimed: Report, by: Holder, failure: Failure): Promise<boolean>;
  /** The rows that are not delivered, oldest first: those of a run, or all. */
  undelivered(run?: string): Promise<readonly Report[]>;
  /** All rows of a run, those that were delivered too, as far as they are kept. In order. */
  reports(run: string): Promise<readonly Report[]>;
  /** Whether some process will still try a row. */
  owesReports(): Promise<boolean>;
  /** The row of an event (`RUN/version`) for a URL. Null where it was delivered before the newest 200. */
  report(id: string, url: string): Promise<Report | null>;
}

/** A report as it is written: the event with this version, for one receiver. */
export interface NewReport {
  readonly version: number;
  readonly url: string;
  /** The environment variable whose value signs it. Null: it is not signed. */
  readonly secretVariable: string | null;
  readonly body: string;
}

export interface Report extends Omit<NewReport, 'version'> {
  /** `RUN/version` of the event. The same for every try and every receiver. */
  readonly id: string;
  readonly run: string;
  /** Times are RFC 3339. */
  readonly createdAt: string;
  /** How many tries have begun. */
  readonly attempts: number;
  readonly nextTryAt: string;
  /** The process that tries it, or died in the try. */
  readonly claimedBy: Holder | null;
  /** Until when a process has claimed it. */
  readonly claimedUntil: string | null;
  readonly deliveredAt: string | null;
  /** No process tries it any more. */
  readonly givenUpAt: string | null;
  readonly lastError: string | null;
}

export interface Claim {
  /** The process that tries. */
  readonly by: Holder;
  readonly forMs: number;
  /** The environment variables that it has: rows that need another one are left to other processes. */
  readonly variables: readonly string[];
  /**
   * RFC 3339: claims a row whose last try began before this time, whether it is due or not. Absent: only what is due.
   */
  readonly lastTriedBefore?: string;
}

export interface Failure {
  readonly error: string;
  readonly againInMs: number | null;
}

/** A row that some process will still try. */
export const isOwed = ({ deliveredAt, givenUpAt }: Report): boolean => deliveredAt === null && givenUpAt === null;

/** How many delivered rows a store keeps: the newest ones. */
export const MAX_DELIVERED = 200;

export const MAX_REPORT_BYTES = 64 * 1024;
