import { isKnownDead } from './holder.ts';
import type { Holder } from './lease-store.ts';
import type { Report } from './outbox-store.ts';
import { timestamp } from './timestamp.ts';

/** A row of the table `outbox`, which every database has alike. Times are milliseconds since 1970. */
export interface ReportRow {
  readonly run: string;
  readonly version: number;
  readonly url: string;
  readonly secret_variable: string | null;
  readonly body: string;
  readonly created_at: number;
  readonly attempts: number;
  readonly next_try_at: number;
  readonly claimed_by: string | null;
  readonly claimed_until: number | null;
  readonly delivered_at: number | null;
  readonly given_up_at: number | null;
  readonly last_error: string | null;
}

export const REPORT_COLUMNS = `
  run, version, url, secret_variable, body, created_at, attempts, next_try_at, claimed_by, claimed_until, delivered_at,
  given_up_at, last_error`;

/** A row that some process will still try. */
export const IS_OWED = 'delivered_at IS NULL AND given_up_at IS NULL';

export type ReportPlace = [run: string, version: number, url: string];

/** The columns by which a report is found. */
export function placeOf({ id, url }: Pick<Report, 'id' | 'url'>): ReportPlace {
  const cut = id.lastIndexOf('/');
  return [id.slice(0, cut), Number(id.slice(cut + 1)), url];
}

/** A claimant as its column has it. Two texts of one process are the same. */
export const claimantText = ({ host, pid, processStart, token }: Holder): string =>
  JSON.stringify({ host, pid, processStart, token });

export const isDeadClaimant = (holder: Holder | null): boolean => holder !== null && isKnownDead(holder);

const timeOf = (ms: number | null): string | null => (ms === null ? null : timestamp(ms));

/** The report that a row is. `claimedBy`: the process that its column names. */
export const reportOf = (row: ReportRow, claimedBy: Holder | null): Report => ({
  id: `${row.run}/${row.version}`,
  run: row.run,
  url: row.url,
  secretVariable: row.secret_variable,
  body: row.body,
  createdAt: timestamp(row.created_at),
  attempts: row.attempts,
  nextTryAt: timestamp(row.next_try_at),
  claimedBy,
  claimedUntil: timeOf(row.claimed_until),
  deliveredAt: timeOf(row.delivered_at),
  givenUpAt: timeOf(row.given_up_at),
  lastError: row.last_error,
});
