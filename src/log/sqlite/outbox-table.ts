import type { DatabaseSync } from 'node:sqlite';
import { type Holder, MAX_CLOCK_AHEAD_MS } from '../lease-store.ts';
import { type Claim, type Failure, MAX_DELIVERED, type NewReport, type Report } from '../outbox-store.ts';
import { holderIn } from './leases-table.ts';
import {
  claimantText,
  IS_OWED,
  isDeadClaimant,
  placeOf,
  REPORT_COLUMNS,
  reportOf,
  type ReportPlace,
  type ReportRow,
} from '../report-row.ts';
import { statement } from './statement.ts';

/** With its place in the order in which reports were made. */
export interface KeyedReportRow extends ReportRow {
  readonly key: number;
}

const COLUMNS = `key, ${REPORT_COLUMNS}`;
const OF_CLAIM = `run = ? AND version = ? AND url = ? AND claimed_by = ? AND ${IS_OWED}`;

/** The processes whose claims have not expired, this one left out. */
export const CLAIMANTS =
  'SELECT DISTINCT claimed_by FROM outbox WHERE claimed_by IS NOT NULL AND claimed_until > ? AND claimed_by <> ?';

/** The first owed row of each run and URL that a process may try now. `?3`: processes that are dead. */
const CLAIMABLE = `
  SELECT ${COLUMNS} FROM outbox
  WHERE is_head = 1
    AND (claimed_until IS NULL OR claimed_until <= ?1 OR claimed_until > ?1 + ${MAX_CLOCK_AHEAD_MS}
      OR claimed_by IN (SELECT value FROM json_each(?3)))
    AND (secret_variable IS NULL OR secret_variable IN (SELECT value FROM json_each(?2)))`;
const IN_ORDER = 'ORDER BY next_try_at, key LIMIT 1';
export const DUE = `${CLAIMABLE} AND next_try_at <= ?1 ${IN_ORDER}`;
/** Whether it is due or not. `?4`: the last try began before. */
const NOT_TRIED = `${CLAIMABLE} AND (tried_at IS NULL OR tried_at < ?4) ${IN_ORDER}`;

/** Many delivered rows of an earlier version are removed in several steps. */
const MAX_REMOVED = 100;
const REMOVED = `
  DELETE FROM outbox WHERE key IN (
    SELECT key FROM outbox WHERE delivered_at IS NOT NULL
    ORDER BY delivered_at DESC, key DESC LIMIT ${MAX_REMOVED} OFFSET ${MAX_DELIVERED}
  )`;

/** The table `outbox`. */
export class OutboxTable {
  readonly #insert;
  readonly #claimants;
  readonly #due;
  readonly #notTried;
  readonly #claim;
  readonly #deliver;
  readonly #fail;
  readonly #undelivered;
  readonly #undeliveredOf;
  readonly #ofRun;
  readonly #find;
  readonly #owed;
  readonly #removeOld;

  constructor(db: DatabaseSync) {
    this.#insert = statement<
      [...ReportPlace, secretVariable: string | null, body: string, at: number, nextTryAt: number]
    >(
      db,
      `INSERT OR IGNORE INTO outbox (run, version, url, secret_variable, body, created_at, next_try_at, attempts)
       VALUES (?, ?, ?, ?, ?, ?, ?, 0)`,
    );
    this.#claimants = statement<[now: number, by: string], { readonly claimed_by: string }>(db, CLAIMANTS);
    type Asked = [now: number, variables: string, dead: string];
    this.#due = statement<Asked, KeyedReportRow>(db, DUE);
    this.#notTried = statement<[...Asked, before: number], KeyedReportRow>(db, NOT_TRIED);
    this.#claim = statement<[by: string, until: number, now: number, key: number], KeyedReportRow>(
      db,
      `UPDATE outbox SET attempts = attempts + 1, claimed_by = ?, claimed_until = ?, tried_at = ? WHERE key = ?
       RETURNING ${COLUMNS}`,
    );
    this.#deliver = statement<[at: number, ...ReportPlace, by: string], KeyedReportRow>(
      db,
      `UPDATE outbox SET delivered_at = ?, last_error = NULL, claimed_by = NULL, claimed_until = NULL
       WHERE ${OF_CLAIM} RETURNING ${COLUMNS}`,
    );
    this.#fail = statement<
      [string, again: number | null, givenUp: number | null, ...ReportPlace, by: string],
      KeyedReportRow
    >(
      db,
      `UPDATE outbox SET last_error = ?, next_try_at = coalesce(?, next_try_at), given_up_at = ?,
         claimed_by = NULL, claimed_until = NULL
       WHERE ${OF_CLAIM} RETURNING ${COLUMNS}`,
    );
    this.#undelivered = statement<[], KeyedReportRow>(
      db,
      `SELECT ${COLUMNS} FROM outbox WHERE delivered_at IS NULL ORDER BY key`,
    );
    this.#undeliveredOf = statement<[run: string], KeyedReportRow>(
      db,
      `SELECT ${COLUMNS} FROM outbox WHERE delivered_at IS NULL AND run = ? ORDER BY key`,
    );
    this.#ofRun = statement<[run: string], KeyedReportRow>(
      db,
      `SELECT ${COLUMNS} FROM outbox WHERE run = ? ORDER BY key`,
    );
    this.#find = statement<ReportPlace, KeyedReportRow>(
      db,
      `SELECT ${COLUMNS} FROM outbox WHERE run = ? AND version = ? AND url = ?`,
    );
    this.#owed = statement<[], object>(db, `SELECT 1 FROM outbox WHERE ${IS_OWED} LIMIT 1`);
    this.#removeOld = statement<[]>(db, REMOVED);
  }

  insert(run: string, { version, url, secretVariable, body }: NewReport, now: number): void {
    this.#insert.run(run, version, url, secretVariable, body, now, now);
  }

  claimable({ by, variables, lastTriedBefore }: Claim, now: number): KeyedReportRow | null {
    const claimants = this.#claimants.all(now, claimantText(by)).map(({ claimed_by }) => claimed_by);
    const dead = claimants.filter((text) => isDeadClaimant(claimantIn(text)));
    const asked = [now, JSON.stringify(variables), JSON.stringify(dead)] as const;
    return lastTriedBefore === undefined
      ? this.#due.get(...asked)
      : this.#notTried.get(...asked, Date.parse(lastTriedBefore));
  }

  claim(claim: Claim, now: number): Report | null {
    const row = this.claimable(claim, now);
    const claimed = row && this.#claim.get(claimantText(claim.by), now + claim.forMs, now, row.key);
    return claimed && reportIn(claimed);
  }

  deliver(claimed: Report, by: Holder, now: number): boolean {
    const isDelivered = this.#deliver.get(now, ...placeOf(claimed), claimantText(by)) !== null;
    if (isDelivered) this.#removeOld.run();
    return isDelivered;
  }

  fail(claimed: Report, by: Holder, { error, againInMs }: Failure, now: number): boolean {
    const [again, givenUp] = againInMs === null ? [null, now] : [now + againInMs, null];
    return this.#fail.get(error, again, givenUp, ...placeOf(claimed), claimantText(by)) !== null;
  }

  undelivered(run?: string): readonly Report[] {
    return (run === undefined ? this.#undelivered.all() : this.#undeliveredOf.all(run)).map(reportIn);
  }

  ofRun(run: string): readonly Report[] {
    return this.#ofRun.all(run).map(reportIn);
  }

  isOwing(): boolean {
    return this.#owed.get() !== null;
  }

  find(id: string, url: string): Report | null {
    const row = this.#find.get(...placeOf({ id, url }));
    return row && reportIn(row);
  }
}

/** Null where an earlier version of the program claimed it: that wrote only an id, so the claim has to expire. */
const claimantIn = (text: string | null): Holder | null =>
  text?.startsWith('{') ? holderIn(text, 'claimed_by') : null;

const reportIn = (row: KeyedReportRow): Report => reportOf(row, claimantIn(row.claimed_by));
