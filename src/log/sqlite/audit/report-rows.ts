import type { DatabaseSync } from 'node:sqlite';
import { MAX_CLOCK_AHEAD_MS } from '../../lease-store.ts';
import { IS_OWED } from '../../report-row.ts';
import { numberIn } from '../row-shape.ts';
import type { AnyRow } from './rows.ts';

type Times = Record<'tried_at' | 'delivered_at' | 'given_up_at', number | null>;

/** A row of the table `outbox` that has the shape of its table. */
interface ReportRow extends Times {
  readonly key: number;
  readonly created_at: number;
  readonly attempts: number;
  readonly next_try_at: number;
  readonly claimed_by: string | null;
  readonly claimed_until: number | null;
  readonly last_error: string | null;
  /** Absent before version 4 of the schema. */
  readonly is_head?: number | null;
}

/** The first owed row of each run and URL, which `is_head` marks. */
export function firstOwed(db: DatabaseSync): ReadonlySet<unknown> {
  const rows = db.prepare(`SELECT min(key) AS key FROM outbox WHERE ${IS_OWED} GROUP BY run, url`);
  // Node throws where a number would be too large.
  rows.setReadBigInts(true);
  return new Set(rows.all().map(({ key }) => numberIn(key)));
}

/**
 * Where the columns of a report contradict one another, or the time of its event: what was never tried has no result,
 * and what has one is not tried again. Times are compared as far as clocks tell. `at`: milliseconds since 1970.
 */
export function columnMisfits(any: AnyRow, at: number | null, first: ReadonlySet<unknown>): readonly string[] {
  const row = any as unknown as ReportRow;
  const { created_at: made, attempts, next_try_at: next, claimed_by: by, claimed_until: until } = row;
  const ends = (['tried_at', 'delivered_at', 'given_up_at'] as const).flatMap((name) => {
    const time = row[name];
    return time === null ? [] : [{ name, time }];
  });
  const isSettled = row.delivered_at !== null || row.given_up_at !== null;
  const isMarked = row.is_head === 1;
  return [
    ...(at !== null && isBefore(made, at) ? ['it was created before its event'] : []),
    ...ends.flatMap(({ name, time }) => (isBefore(time, made) ? [`its ${name} is before it was created`] : [])),
    ...(isBefore(next, made) ? ['its next try is before it was created'] : []),
    ...(!isSettled && isBefore(row.tried_at ?? made, next) ? ['its next try is too late'] : []),
    ...(attempts === 0 && (ends.length > 0 || row.last_error !== null || by !== null)
      ? ['it was never tried, and has a result']
      : []),
    ...(attempts > 0 && row.tried_at === null ? ['it was tried at no time'] : []),
    ...((by === null) === (until === null) ? [] : ['it is claimed by no process, or until no time']),
    ...(isSettled && by !== null ? ['it is claimed, and not owed any more'] : []),
    ...(row.delivered_at !== null && row.given_up_at !== null ? ['it was both delivered and given up'] : []),
    ...(row.delivered_at !== null && row.last_error !== null ? ['it was delivered, and has an error'] : []),
    ...(row.is_head === undefined || isMarked === first.has(row.key)
      ? []
      : ['the column is_head does not say which report of its run and URL is tried first']),
  ];
}

const isBefore = (time: number, other: number): boolean => time < other - MAX_CLOCK_AHEAD_MS;
