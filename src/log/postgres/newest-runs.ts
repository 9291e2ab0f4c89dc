import type { Changes, NewestRuns } from '../event-store.ts';
import { records } from './run-records.ts';
import type { Server } from './server.ts';

/** The trees that are older than the run of `$1`, or all. */
const OLDER = 'r.parent_effect IS NULL AND ($1::text IS NULL OR r.key < (SELECT key FROM runs WHERE run = $1))';

export async function newest(server: Server, most: number, before: string | null): Promise<NewestRuns> {
  const runs = await records(server, `WHERE ${OLDER} ORDER BY r.key DESC LIMIT $2`, [before, most]);
  const [counted] = await server.reading<{ count: number }>(`SELECT count(*) AS count FROM runs r WHERE ${OLDER}`, [
    before,
  ]);
  return { runs, more: Math.max(0, (counted?.count ?? 0) - runs.length) };
}

/**
 * What has changed since a position. Positions and numbers of transactions are both given before a commit, and seen
 * after it. So a transaction counts only once no older one can still commit; and one that is newer than that of the
 * position counts, too, where it got a lower position before.
 */
const CHANGES = `
  WITH settled AS (
    SELECT coalesce((SELECT position FROM events WHERE xid < pg_snapshot_xmin(pg_current_snapshot())
      ORDER BY position DESC LIMIT 1), 0) AS position
  ), changed AS (
    SELECT run FROM events, settled s WHERE events.position > $1 AND events.position <= s.position
      AND xid < pg_snapshot_xmin(pg_current_snapshot())
    UNION
    SELECT run FROM events WHERE xid > (SELECT xid FROM events WHERE position = $1) AND position < $1
      AND xid < pg_snapshot_xmin(pg_current_snapshot())
  ) SELECT s.position, (SELECT array_agg(DISTINCT root) FROM changed JOIN runs ON runs.key = changed.run) AS trees
  FROM settled s`;

export async function changes(server: Server, since: number | null): Promise<Changes> {
  const [row] = await server.reading<{ position: number; trees: readonly string[] | null }>(CHANGES, [since]);
  return { position: Math.max(row?.position ?? 0, since ?? 0), trees: row?.trees ?? [] };
}
