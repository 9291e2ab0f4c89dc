import type { DatabaseSync } from 'node:sqlite';
import { isKnownDead } from '../holder.ts';
import type { Holder } from '../lease-store.ts';
import type { Claim, Failure, NewReport, Report } from '../outbox-store.ts';
import { timestamp } from './events-table.ts';
import { statement } from './statement.ts';

interface Row {
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

/** As in the index `outbox_owed`. */
const IS_OWED = 'delivered_at IS NULL AND given_up_at IS NULL';
const OF_CLAIM = `run = ? AND version = ? AND url = ? AND claimed_by = ? AND ${IS_OWED}`;

/** The processes whose claims have not expired, this one left out. */
const CLAIMANTS = `SELECT DISTINCT claimed_by FROM outbox WHERE ${IS_OWED} AND claimed_until > ? AND claimed_by <> ?`;

/** The first owed row of each run and URL that a process may try now. `?4`: processes that are dead. */
const CLAIMABLE = `
  SELECT * FROM outbox
  WHERE key IN (SELECT min(key) FROM outbox WHERE ${IS_OWED} GROUP BY run, url)
    AND (claimed_until IS NULL OR claimed_until <= ?1 OR claimed_by IN (SELECT value FROM json_each(?4)))
    AND (secret_variable IS NULL OR secret_variable IN (SELECT value FROM json_each(?2)))
    AND CASE WHEN ?3 IS NULL THEN next_try_at <= ?1 ELSE tried_at IS NULL OR tried_at < ?3 END
  ORDER BY next_try_at, key LIMIT 1`;

type Place = [run: string, version: number, url: string];

/** The table `outbox`. */
export class OutboxTable {
  readonly #insert;
  readonly #claimants;
  readonly #claimable;
  readonly #claim;
  readonly #deliver;
  readonly #fail;
  readonly #undelivered;
  readonly #undeliveredOf;
  readonly #find;

  constructor(db: DatabaseSync) {
    this.#insert = statement<[...Place, secretVariable: string | null, body: string, at: number, nextTryAt: number]>(
      db,
      `INSERT OR IGNORE INTO outbox (run, version, url, secret_variable, body, created_at, next_try_at, attempts)
       VALUES (?, ?, ?, ?, ?, ?, ?, 0)`,
    );
    this.#claimants = statement<[now: number, by: string], { readonly claimed_by: string }>(db, CLAIMANTS);
    type Asked = [now: number, variables: string, before: number | null, dead: string];
    this.#claimable = statement<Asked, Row>(db, CLAIMABLE);
    this.#claim = statement<[by: string, until: number, now: number, key: number], Row>(
      db,
      `UPDATE outbox SET attempts = attempts + 1, claimed_by = ?, claimed_until = ?, tried_at = ? WHERE key = ?
       RETURNING *`,
    );
    this.#deliver = statement<[at: number, ...Place, by: string], Row>(
      db,
      `UPDATE outbox SET delivered_at = ?, last_error = NULL, claimed_by = NULL, claimed_until = NULL
       WHERE ${OF_CLAIM} RETURNING *`,
    );
    this.#fail = statement<[string, again: number | null, givenUp: number | null, ...Place, by: string], Row>(
      db,
      `UPDATE outbox SET last_error = ?, next_try_at = coalesce(?, next_try_at), given_up_at = ?,
         claimed_by = NULL, claimed_until = NULL
       WHERE ${OF_CLAIM} RETURNING *`,
    );
    this.#undelivered = statement<[], Row>(db, 'SELECT * FROM outbox WHERE delivered_at IS NULL ORDER BY key');
    this.#undeliveredOf = statement<[run: string], Row>(
      db,
      'SELECT * FROM outbox WHERE delivered_at IS NULL AND run = ? ORDER BY key',
    );
    this.#find = statement<Place, Row>(db, 'SELECT * FROM outbox WHERE run = ? AND version = ? AND url = ?');
  }

  insert(run: string, { version, url, secretVariable, body }: NewReport, now: number): void {
    this.#insert.run(run, version, url, secretVariable, body, now, now);
  }

  claimable({ by, variables, lastTriedBefore }: Claim, now: number): Row | null {
    const before = lastTriedBefore === undefined ? null : Date.parse(lastTriedBefore);
    const claimants = this.#claimants.all(now, textOf(by)).map(({ claimed_by }) => claimed_by);
    const dead = claimants.filter((text) => isDead(holderIn(text)));
    return this.#claimable.get(now, JSON.stringify(variables), before, JSON.stringify(dead));
  }

  claim(claim: Claim, now: number): Report | null {
    const row = this.claimable(claim, now);
    const claimed = row && this.#claim.get(textOf(claim.by), now + claim.forMs, now, row.key);
    return claimed && reportOf(claimed);
  }

  deliver(claimed: Report, by: Holder, now: number): boolean {
    return this.#deliver.get(now, ...placeOf(claimed), textOf(by)) !== null;
  }

  fail(claimed: Report, by: Holder, { error, againInMs }: Failure, now: number): boolean {
    const [again, givenUp] = againInMs === null ? [null, now] : [now + againInMs, null];
    return this.#fail.get(error, again, givenUp, ...placeOf(claimed), textOf(by)) !== null;
  }

  undelivered(run?: string): readonly Report[] {
    return (run === undefined ? this.#undelivered.all() : this.#undeliveredOf.all(run)).map(reportOf);
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
const holderIn = (text: string | null): Holder | null => (text?.startsWith('{') ? (JSON.parse(text) as Holder) : null);
const isDead = (holder: Holder | null): boolean => holder !== null && isKnownDead(holder);

const timeOf = (ms: number | null): string | null => (ms === null ? null : timestamp(ms));

const reportOf = (row: Row): Report => ({
  id: `${row.run}/${row.version}`,
  run: row.run,
  url: row.url,
  secretVariable: row.secret_variable,
  body: row.body,
  createdAt: timestamp(row.created_at),
  attempts: row.attempts,
  nextTryAt: timestamp(row.next_try_at),
  claimedBy: holderIn(row.claimed_by),
  claimedUntil: timeOf(row.claimed_until),
  deliveredAt: timeOf(row.delivered_at),
  givenUpAt: timeOf(row.given_up_at),
  lastError: row.last_error,
});
