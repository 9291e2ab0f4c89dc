import type { DatabaseSync } from 'node:sqlite';
import { reportMisfits } from './audit/beside-events.ts';
import { Owners } from './audit/owners.ts';
import type { ReportRow } from '../report-row.ts';
import { readable, rowKeys } from './readable-rows.ts';
import { TABLES } from './schema.ts';
import { statement } from './statement.ts';

/** What a repair has saved of the reports that were not delivered. */
export interface SavedReports {
  readonly saved: number;
  readonly lost: readonly LostReport[];
}

interface LostReport {
  /** `RUN/VERSION`; or the row, or the table, that cannot be read. */
  readonly report: string;
  readonly reason: string;
}

/** A report without its claim, with the time of its last try. */
interface Row extends Omit<ReportRow, 'claimed_by' | 'claimed_until' | 'delivered_at'> {
  readonly tried_at: number | null;
}

/** Without its claim: the process that made it writes to the damaged store. */
const COPIED = 'run, version, url, secret_variable, body, created_at, attempts, next_try_at, tried_at, last_error';

/** Copies the reports that were not delivered and that belong to an event of the new store. */
export function saveReports(from: DatabaseSync, to: DatabaseSync): SavedReports {
  if (isOlder(from)) return { saved: 0, lost: [] };
  const { keys, error } = rowKeys(from, 'outbox', 'delivered_at IS NULL');
  const owners = new Owners(to);
  const find = statement<[key: bigint], Row>(from, `SELECT ${COPIED}, given_up_at FROM outbox WHERE key = ?`);
  const insert = inserting(to);
  const lost: LostReport[] = [];
  for (const key of keys) {
    const row = readable(() => find.get(key));
    const misfits = row === null ? ['it cannot be read'] : reportMisfits({ ...row }, owners);
    if (row !== null && misfits.length === 0) insert(row);
    else lost.push({ report: row === null ? `row ${key}` : `${row.run}/${row.version}`, reason: misfits.join(', ') });
  }
  const saved = keys.length - lost.length;
  const reason = error instanceof Error ? `it cannot be read to its end (${error.message})` : null;
  return { saved, lost: reason === null ? lost : [...lost, { report: 'table outbox', reason }] };
}

/** Of a version without reports. A number alone proves nothing: it may be what is damaged. */
function isOlder(db: DatabaseSync): boolean {
  const found = db
    .prepare(`SELECT user_version AS version, (SELECT count(*) FROM sqlite_schema WHERE name = 'outbox') AS tables
      FROM pragma_user_version`)
    .get() as { version: number; tables: number };
  return found.tables === 0 && found.version > 0 && found.version < (TABLES.get('outbox') ?? 0);
}

function inserting(db: DatabaseSync): (row: Row) => void {
  type Inserted = [...[string, number, string, string | null, string], ...number[], number | null, string | null];
  const insert = statement<Inserted>(db, `INSERT INTO outbox (${COPIED}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  // By an update: a trigger makes the next report of the run the first one to try.
  const giveUp = statement<[at: number, key: number]>(db, 'UPDATE outbox SET given_up_at = ? WHERE key = ?');
  return ({ run, version, url, secret_variable, body, created_at, attempts, next_try_at, tried_at, ...row }) => {
    const times = [created_at, attempts, next_try_at] as const;
    const key = insert.run(run, version, url, secret_variable, body, ...times, tried_at, row.last_error);
    if (row.given_up_at !== null) giveUp.run(row.given_up_at, key);
  };
}
