import type { RunRecord } from '../event-store.ts';
import { blobOf } from '../prepare-events.ts';
import { DECISION, endingOf, LAST } from '../last-record.ts';
import type { Server } from './server.ts';
import { timestamp } from '../timestamp.ts';

/** A run with its last event and its newest decision. */
interface Row {
  readonly run: string;
  readonly root: string;
  readonly parent_effect: string | null;
  readonly prefix_run: string | null;
  readonly prefix_version: number;
  readonly created_at: number;
  readonly updated_at: number;
  readonly version: number;
  readonly hash: string;
  readonly closed: string | null;
  /** The type of its last own event, or null. */
  readonly type: string | null;
  readonly mark: string | null;
  readonly decision: string | null;
  readonly content: string | null;
}

/** The columns of a row, from `runs r`. Decisions are looked for only where a run may have ended. */
const SELECT = `
  SELECT r.run, r.root, r.parent_effect, p.run AS prefix_run, r.prefix_version, r.created_at, r.updated_at, r.version,
    encode(r.hash, 'hex') AS hash, r.closed, l.type, l.mark, d.payload AS decision, b.content
  FROM runs r
  LEFT JOIN runs p ON p.key = r.prefix
  LEFT JOIN events l ON l.run = r.key AND l.version = r.version
  LEFT JOIN LATERAL (
    SELECT payload FROM events WHERE run = r.key AND type = '${DECISION}' ORDER BY version DESC LIMIT 1
  ) d ON l.type = '${LAST}' OR r.closed IS NOT NULL
  LEFT JOIN blobs b ON b.sha256 =
    CASE WHEN d.payload LIKE '{"$blob":"%' THEN decode(substring(d.payload FROM 11 FOR 64), 'hex') END`;

/** Runs by a condition, with what stands behind it. */
export async function records(
  server: Server,
  condition: string,
  values: readonly unknown[] = [],
): Promise<readonly RunRecord[]> {
  return (await server.reading<Row>(`${SELECT} ${condition}`, values)).map(recordOf);
}

export async function record(server: Server, run: string): Promise<RunRecord | null> {
  return (await records(server, 'WHERE r.run = $1', [run]))[0] ?? null;
}

function recordOf(row: Row): RunRecord {
  const { run, root, parent_effect: parentEffect, prefix_run: prefix, prefix_version: shared, version, hash } = row;
  return {
    run,
    root,
    parentEffect,
    forkedFrom: prefix === null ? null : { run: prefix, version: shared },
    version,
    hash,
    createdAt: timestamp(row.created_at),
    updatedAt: timestamp(row.updated_at),
    closed: endingIn(row),
  };
}

function endingIn({ type, mark, closed, decision, content }: Row): string | null {
  if (type === null) return null;
  return endingOf({ type, mark }, closed, () => (decision !== null && blobOf(decision) !== null ? content : decision));
}
