import type { DatabaseSync } from 'node:sqlite';
import { isKnownDead } from '../holder.ts';
import { type Holder, MAX_CLOCK_AHEAD_MS } from '../lease-store.ts';
import { type Claim, type Failure, MAX_DELIVERED, type NewReport, type Report } from '../outbox-store.ts';
import { timestamp } from './column-values.ts';
import { holderIn } from './leases-table.ts';
import { IS_OWED } from './schema.ts';
import { statement } from './statement.ts';

export interface ReportRow {
  readonly key: number;
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

const COLUMNS = `
  key, run, version, url, secret_variable, body, created_at, attempts, next_try_at, claimed_by, claimed_until,
  delivered_at, given_up_at, last_error`;
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

type Place = [run: string, version: number, url: string];

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
    this.#insert = statement<[...Place, secretVariable: string | null, body: string, at: number, nextTryAt: number]>(
      db,
      `INSERT OR IGNORE INTO outbox (run, version, url, secret_variable, body, created_at, next_try_at, attempts)
       VALUES (?, ?, ?, ?, ?, ?, ?, 0)`,
    );
    this.#claimants = statement<[now: number, by: string], { readonly claimed_by: string }>(db, CLAIMANTS);
    type Asked = [now: number, variables: string, dead: string];
    this.#due = statement<Asked, ReportRow>(db, DUE);
    this.#notTried = statement<[...Asked, before: number], ReportRow>(db, NOT_TRIED);
    this.#claim = statement<[by: string, until: number, now: number, key: number], ReportRow>(
      db,
      `UPDATE outbox SET attempts = attempts + 1, claimed_by = ?, claimed_until = ?, tried_at = ? WHERE key = ?
       RETURNING ${COLUMNS}`,
    );
    this.#deliver = statement<[at: number, ...Place, by: string], ReportRow>(
      db,
      `UPDATE outbox SET delivered_at = ?, last_error = NULL, claimed_by = NULL, claimed_until = NULL
       WHERE ${OF_CLAIM} RETURNING ${COLUMNS}`,
    );
    this.#fail = statement<[string, again: number | null, givenUp: number | null, ...Place, by: string], ReportRow>(
      db,
      `UPDATE outbox SET last_error = ?, next_try_at = coalesce(?, next_try_at), given_up_at = ?,
         claimed_by = NULL, claimed_until = NULL
       WHERE ${OF_CLAIM} RETURNING ${COLUMNS}`,
    );
    this.#undelivered = statement<[], ReportRow>(
      db,
      `SELECT ${COLUMNS} FROM outbox WHERE delivered_at IS NULL ORDER BY key`,
    );
    this.#undeliveredOf = statement<[run: string], ReportRow>(
      db,
      `SELECT ${COLUMNS} FROM outbox WHERE delivered_at IS NULL AND run = ? ORDER BY key`,
    );
    this.#ofRun = statement<[run: string], ReportRow>(db, `SELECT ${COLUMNS} FROM outbox WHERE run = ? ORDER BY key`);
    this.#find = statement<Place, ReportRow>(
      db,
      `SELECT ${COLUMNS} FROM outbox WHERE run = ? AND version = ? AND url = ?`,
    );
    this.#owed = statement<[], object>(db, `SELECT 1 FROM outbox WHERE ${IS_OWED} LIMIT 1`);
    this.#removeOld = statement<[]>(db, REMOVED);
  }

  insert(run: string, { version, url, secretVariable, body }: NewReport, now: number): void {
    this.#insert.run(run, version, url, secretVariable, body, now, now);
  }

  claimable({ by, variables, lastTriedBefore }: Claim, now: number): ReportRow | null {
    const claimants = this.#claimants.all(now, textOf(by)).map(({ claimed_by }) => claimed_by);
    const dead = claimants.filter((text) => isDead(claimantIn(text)));
    const asked = [now, JSON.stringify(variables), JSON.stringify(dead)] as const;
    return lastTriedBefore === undefined
      ? this.#due.get(...asked)
      : this.#notTried.get(...asked, Date.parse(lastTriedBefore));
  }

  claim(claim: Claim, now: number): Report | null {
    const row = this.claimable(claim, now);
    const claimed = row && this.#claim.get(textOf(claim.by), now + claim.forMs, now, row.key);
    return claimed && reportOf(claimed);
  }

  deliver(claimed: Report, by: Holder, now: number): boolean {
    const isDelivered = this.#deliver.get(now, ...placeOf(claimed), textOf(by)) !== null;
    if (isDelivered) this.#removeOld.run();
    return isDelivered;
  }

  fail(claimed: Report, by: Holder, { error, againInMs }: Failure, now: number): boolean {
    const [again, givenUp] = againInMs === null ? [null, now] : [now + againInMs, null];
    return this.#fail.get(error, again, givenUp, ...placeOf(claimed), textOf(by)) !== null;
  }

  undelivered(run?: string): readonly Report[] {
    return (run === undefined ? this.#undelivered.all() : this.#undeliveredOf.all(run)).map(reportOf);
  }

  ofRun(run: string): readonly Report[] {
    return this.#ofRun.all(run).map(reportOf);
  }

  isOwing(): boolean {
    return this.#owed.get() !== null;
  }

  find(id: string, url: string): Report | null {
    const row = this.#find.get(...placeOf({ id, url }));
    return row && reportOf(row);
  }
}

function placeOf({ id, url }: Pick<Report, 'id' | 'url'>): Place {
  const cut = id.lastIndexOf('/');
  return [id.slice(0, cut), Number(id.slice(cut + 1)), url];
}

const textOf = ({ host, pid, processStart, token }: Holder): string =>
  JSON.stringify({ host, pid, processStart, token });

/** Null where an earlier version of the program claimed it: that wrote only an id, so the claim has to expire. */
const claimantIn = (text: string | null): Holder | null =>
  text?.startsWith('{') ? holderIn(text, 'claimed_by') : null;
const isDead = (holder: Holder | null): boolean => holder !== null && isKnownDead(holder);

const timeOf = (ms: number | null): string | null => (ms === null ? null : timestamp(ms));

const reportOf = (row: ReportRow): Report => ({
  id: `${row.run}/${row.version}`,
  run: row.run,
  url: row.url,
  secretVariable: row.secret_variable,
  body: row.body,
  createdAt: timestamp(row.created_at),
  attempts: row.attempts,
  nextTryAt: timestamp(row.next_try_at),
  claimedBy: claimantIn(row.claimed_by),
  claimedUntil: timeOf(row.claimed_until),
  deliveredAt: timeOf(row.delivered_at),
  givenUpAt: timeOf(row.given_up_at),
  lastError: row.last_error,
});
