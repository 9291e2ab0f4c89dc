import { MAX_CLOCK_AHEAD_MS } from '../lease-store.ts';
import { MAX_DELIVERED, type OutboxStore, type Report } from '../outbox-store.ts';
import type { Server } from './server.ts';
import { holderIn } from './server-leases.ts';
import { withoutNul } from './driver.ts';
import {
  claimantText,
  IS_OWED,
  isDeadClaimant,
  placeOf,
  REPORT_COLUMNS,
  reportOf,
  type ReportRow,
} from '../report-row.ts';

const OF_CLAIM = `run = $1 AND version = $2 AND url = $3 AND claimed_by = $4 AND ${IS_OWED}`;
/** Processes whose claims have not expired. */
const CLAIMANTS = `SELECT DISTINCT claimed_by FROM outbox WHERE ${IS_OWED} AND claimed_until > store_time($1)`;

/** The first owed row of a run and URL that a process may try now: `$3` are its variables, `$4` who is dead. */
const CLAIM = `
  UPDATE outbox SET attempts = attempts + 1, claimed_by = $2, claimed_until = t + $5, tried_at = t
  FROM store_time($1) AS t WHERE key = (
    SELECT key FROM outbox o WHERE ${IS_OWED}
      AND NOT EXISTS (
        SELECT 1 FROM outbox b WHERE b.run = o.run AND b.url = o.url AND b.key < o.key
          AND b.delivered_at IS NULL AND b.given_up_at IS NULL
      )
      AND (claimed_until IS NULL OR claimed_until <= store_time($1)
        OR claimed_until > store_time($1) + ${MAX_CLOCK_AHEAD_MS} OR claimed_by = ANY($4))
      AND (secret_variable IS NULL OR secret_variable = ANY($3))
      AND CASE WHEN $6::bigint IS NULL THEN next_try_at <= store_time($1) ELSE tried_at IS NULL OR tried_at < $6 END
    ORDER BY next_try_at, key LIMIT 1 FOR UPDATE SKIP LOCKED
  ) RETURNING ${REPORT_COLUMNS}`;
const DELIVER = `
  UPDATE outbox SET delivered_at = store_time($5), last_error = NULL, claimed_by = NULL, claimed_until = NULL
  WHERE ${OF_CLAIM}`;
const FAIL = `
  UPDATE outbox SET last_error = $6, next_try_at = coalesce(store_time($5) + $7, next_try_at),
    given_up_at = CASE WHEN $7::bigint IS NULL THEN store_time($5) END, claimed_by = NULL, claimed_until = NULL
  WHERE ${OF_CLAIM}`;
const REMOVE_OLD = `
  DELETE FROM outbox WHERE key IN (
    SELECT key FROM outbox WHERE delivered_at IS NOT NULL ORDER BY delivered_at DESC, key DESC OFFSET ${MAX_DELIVERED}
  )`;

/** The outbox of a log on a server. */
export function serverOutbox(server: Server): OutboxStore {
  const listed = async (condition: string, values: readonly unknown[] = []) =>
    (
      await server.reading<ReportRow>(`SELECT ${REPORT_COLUMNS} FROM outbox WHERE ${condition} ORDER BY key`, values)
    ).map((row) => reportIn(server, row));
  return {
    async claimReport({ by, forMs, variables, lastTriedBefore }) {
      const claimants = await server.reading<{ claimed_by: string }>(CLAIMANTS, [server.given]);
      const dead = claimants.flatMap(({ claimed_by: text }) => (isDeadClaimant(holderIn(server, text)) ? [text] : []));
      const before = lastTriedBefore === undefined ? null : Date.parse(lastTriedBefore);
      const row = await server.write(async (client) => {
        const values = [server.given, claimantText(by), variables, dead, forMs, before];
        return (await client.query<ReportRow>(CLAIM, values)).rows[0];
      });
      return row ? reportIn(server, row) : null;
    },

    async reportDelivered(claimed, by) {
      server.assertOpen();
      return server.write(async (client) => {
        const { rowCount } = await client.query(DELIVER, [...placeOf(claimed), claimantText(by), server.given]);
        if (rowCount === 1) await client.query(REMOVE_OLD);
        return rowCount === 1;
      });
    },

    async reportFailed(claimed, by, { error, againInMs }) {
      server.assertOpen();
      const values = [...placeOf(claimed), claimantText(by), server.given, withoutNul(error), againInMs];
      return server.write(async (client) => (await client.query(FAIL, values)).rowCount === 1);
    },

    undelivered: (run) =>
      run === undefined ? listed('delivered_at IS NULL') : listed('delivered_at IS NULL AND run = $1', [run]),

    reports: (run) => listed('run = $1', [run]),

    async owesReports() {
      return (await server.reading(`SELECT 1 FROM outbox WHERE ${IS_OWED} LIMIT 1`)).length > 0;
    },

    async report(id, url) {
      return (await listed('run = $1 AND version = $2 AND url = $3', placeOf({ id, url })))[0] ?? null;
    },
  };
}

const reportIn = (server: Server, row: ReportRow): Report => reportOf(row, holderIn(server, row.claimed_by));
